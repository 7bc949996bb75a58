import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { editPerson } from '../../../src/identity/users/edit.ts'
import { removePerson } from '../../../src/identity/users/remove.ts'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { countTurns } from '../../support/turns.ts'
import { signIn } from './setup.ts'

const logins = ({ body }: TestAnswer) =>
  body.map(({ login }: { login: string }) => login) as string[]

suite('GET /admin/users', () => {
  test('lists people by name, with whole records', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('Zoe')
    await app.addPerson('ann', { visibility: 'private' })
    await app.post(root, '/orgs', { username: 'acme' })

    const answer = await app.get(root, '/admin/users')

    assert.deepEqual(logins(answer), ['ann', 'root', 'Zoe'])
    assert.partialDeepStrictEqual(answer.body[0], { email: 'ann@example.org', active: true })
    assert.equal(answer.headers['x-total-count'], '3')
  })

  test('filters and sorts', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann', {
      loginName: 'one',
      sourceId: 4,
      visibility: 'limited',
      createdAt: 5,
    })
    await app.addPerson('bob', { isRestricted: true, createdAt: 3 })
    await app.addPerson('cat', { createdAt: 4 })
    await app.patch(root, '/admin/users/cat', { prohibit_login: true, active: false })
    await app.ctx.db
      .updateTable('account')
      .set({ totp_secret: 'x' })
      .where('name', '=', 'bob')
      .execute()
    const cases: [string, string[]][] = [
      ['q=AN', ['ann']],
      ['login_name=one', ['ann']],
      ['source_id=4', ['ann']],
      ['visibility=limited', ['ann']],
      ['is_restricted=true', ['bob']],
      ['is_2fa_enabled=1', ['bob']],
      ['is_2fa_enabled=false&is_admin=false&is_active=true', ['ann']],
      ['is_active=false', ['cat']],
      ['is_prohibit_login=true', ['cat']],
      ['is_admin=true', ['root']],
      ['order=desc', ['root', 'cat', 'bob', 'ann']],
      ['sort=created&is_admin=false', ['bob', 'cat', 'ann']],
      ['sort=id&order=desc&is_admin=false', ['cat', 'bob', 'ann']],
      ['is_admin=', ['ann', 'bob', 'cat', 'root']],
    ]

    for (const [query, expected] of cases) {
      assert.deepEqual(logins(await app.get(root, `/admin/users?${query}`)), expected, query)
    }
    for (const query of [
      'sort=nonsense',
      'order=up',
      'visibility=secret',
      'sort=constructor',
      'sort=id;--',
    ]) {
      assertError(await app.get(root, `/admin/users?${query}`), 422)
    }
  })
})

suite('PATCH /admin/users/{username}', () => {
  test('changes what is given and keeps the rest', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann', { fullName: 'Before' })

    const changed = await app.patch(root, '/admin/users/ann', {
      source_id: 0,
      login_name: 'ann',
      website: 'https://ann.example',
      location: 'Here',
      description: 'about',
      visibility: 'private',
      restricted: true,
      allow_git_hook: true,
      allow_import_local: true,
      max_repo_creation: 3,
      allow_create_organization: false,
    })

    assert.partialDeepStrictEqual(changed.body, {
      full_name: 'Before',
      login_name: 'ann',
      website: 'https://ann.example',
      location: 'Here',
      description: 'about',
      visibility: 'private',
      restricted: true,
      active: true,
    })
    assert.partialDeepStrictEqual(
      (await app.patch(root, '/admin/users/ann', { full_name: '' })).body,
      {
        full_name: '',
        location: 'Here',
      },
    )
    assertError(await app.post(ann, '/orgs', { username: 'acme' }), 403)
  })

  test('a new address takes the place of the old one', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/emails', { emails: ['second@example.org'] })
    const addresses = async () =>
      (await app.get(ann, '/user/emails')).body.map((one: { email: string; primary: boolean }) => [
        one.email,
        one.primary,
      ])

    await app.patch(root, '/admin/users/ann', { email: 'new@example.org' })
    assert.deepEqual(await addresses(), [
      ['new@example.org', true],
      ['second@example.org', false],
    ])
    await app.patch(root, '/admin/users/ann', { email: 'SECOND@example.org' })
    assert.deepEqual(await addresses(), [['SECOND@example.org', true]])
    await app.patch(root, '/admin/users/ann', { email: 'second@example.org' })
    assert.deepEqual(await addresses(), [['second@example.org', true]])
    assert.equal((await app.get(ann, '/user')).body.email, 'second@example.org')
    assertStatus(await app.post(bob, '/user/emails', { emails: ['ann@example.org'] }), 201)
  })

  test('a new password replaces the old one at once; tokens stay', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    assertStatus(await signIn(app, 'ann', 'password1'), 200)

    await app.patch(root, '/admin/users/ann', { password: 'another1' })

    assertError(await signIn(app, 'ann', 'password1'), 401)
    assertStatus(await signIn(app, 'ann', 'another1'), 200)
    assertStatus(await app.get(ann, '/user'), 200)
  })

  test('refuses all of an edit when part of it is bad', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const cases: [object, number, string | RegExp][] = [
      [{ email: 'bob@example.org' }, 400, /already in use/],
      [{ email: 'nonsense' }, 422, /invalid/],
      [{ password: '12345' }, 400, /at least 6/],
      [{ visibility: 'secret' }, 422, '[Visibility]: In'],
      [{ website: 'nonsense' }, 422, '[Website]: Url'],
      [{ location: 'x'.repeat(51) }, 422, '[Location]: MaxSize'],
    ]

    for (const [fields, status, message] of cases) {
      const answer = await app.patch(root, '/admin/users/ann', {
        full_name: 'changed',
        admin: true,
        ...fields,
      })
      assertError(answer, status, message)
    }
    assert.partialDeepStrictEqual((await app.get(ann, '/user')).body, {
      full_name: '',
      is_admin: false,
      email: 'ann@example.org',
    })
    assert.equal((await app.get(ann, '/user/emails')).body.length, 1)
  })

  test('keeps the last administrator, also when two are demoted at once', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const chief = await app.addAdmin('chief')
    const demote = (name: string, fields: object) => app.patch(root, `/admin/users/${name}`, fields)

    const answers = await Promise.all([
      demote('root', { admin: false }),
      demote('chief', { admin: false }),
    ])

    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const left = (
      await app.ctx.db.selectFrom('account').select('name').where('is_admin', '=', 1).execute()
    )[0]
    const admin = left?.name === 'root' ? root : chief
    for (const fields of [{ admin: false }, { active: false }, { prohibit_login: true }]) {
      assertError(
        await app.patch(admin, `/admin/users/${left?.name}`, fields),
        400,
        /last administrator/,
      )
    }
  })

  test('and a deletion keep who became the last administrator since they were looked up', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    assertStatus(await app.patch(root, '/admin/users/ann', { admin: true }), 200)
    assertStatus(await app.patch(ann, '/admin/users/root', { admin: false }), 200)

    // Both have been checked by then, and the other calls were quicker.
    assert.equal(ann.account.isAdmin, false)
    const edit = editPerson(ctx, ann.account, { isAdmin: false })
    await assert.rejects(edit, { code: 'bad_request', message: /last administrator/ })
    const removal = removePerson(ctx, undefined, ann.account, { purge: true })
    await assert.rejects(removal, { code: 'invalid', message: /last administrator/ })

    assertStatus(await app.get(ann, '/admin/users'), 200)
  })

  test('of nobody is 404, of an organization 422', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.post(root, '/orgs', { username: 'acme' })

    assertError(await app.patch(root, '/admin/users/nobody', {}), 404)
    assertError(await app.patch(root, '/admin/users/acme', { full_name: 'x' }), 422)
  })
})

suite('DELETE /admin/users/{username}', () => {
  test('removes the account with its tokens and addresses', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(bob, '/user/following/ann')
    await app.put(ann, '/user/following/bob')

    assertStatus(await app.delete(root, '/admin/users/ann'), 204)

    assertError(await app.get(root, '/users/ann'), 404)
    assertError(await app.get(ann, '/user'), 401)
    assertError(await app.delete(root, '/admin/users/ann'), 404)
    assert.partialDeepStrictEqual((await app.get(bob, '/user')).body, {
      followers_count: 0,
      following_count: 0,
    })
    assertStatus(await app.post(bob, '/user/emails', { emails: ['ann@example.org'] }), 201)
  })

  test('refuses organizations, oneself and members of organizations', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })

    assertError(await app.delete(root, '/admin/users/acme'), 422)
    assertError(await app.delete(root, '/admin/users/root'), 422)
    assertError(await app.delete(root, '/admin/users/ann'), 422, /organizations/)
    assertError(await app.delete(root, '/admin/users/ann?purge=false'), 422, /organizations/)
    assertStatus(await app.get(ann, '/user'), 200)
  })

  test('with purge answers others between the repositories that go', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (let number = 1; number <= 20; number++) {
      assertStatus(await app.post(ann, '/user/repos', { name: `repo${number}` }), 201)
    }

    const turns = await countTurns(() =>
      removePerson(app.ctx, undefined, ann.account, { purge: true }),
    )

    assert.ok(turns > 20, `${turns} turns of the event loop`)
  })

  test('with purge lets others write between the repositories that go, and is finished whoever dies over it', async (t) => {
    const app = await startApp(t)
    const { db, jobs } = app.ctx
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'hers' })
    const homes = ['/user/repos', '/user/repos', '/orgs/hers/repos', '/orgs/hers/repos']
    for (const [number, home] of homes.entries()) {
      assertStatus(await app.post(ann, home, { name: `repo${number}` }), 201)
    }
    const left = async () => (await db.selectFrom('repository').select('id').execute()).length
    let begun = 0
    const begin = db.transaction.bind(db)
    const mock = t.mock.method(db, 'transaction', () => {
      if (++begun > 2) throw new Error('killed')
      return begin()
    })

    const cutOff = await app.delete(root, '/admin/users/ann?purge=true')
    mock.mock.restore()
    const halfWay = await left()
    app.passTime(601)
    await jobs.runDue()

    assert.deepEqual([cutOff.status, halfWay, await left()], [500, 3, 0])
    assertStatus(await app.get(root, '/users/ann'), 200)
    assertStatus(await app.delete(root, '/admin/users/ann?purge=true'), 204)
    assertError(await app.get(root, '/users/ann'), 404)
    assertError(await app.get(root, '/orgs/hers'), 404)
  })

  test('with purge takes along the organizations that nobody else owns', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'hers' })
    await app.post(ann, '/orgs', { username: 'theirs' })
    const owners = (await app.get(ann, '/orgs/theirs/teams')).body[0].id
    await app.put(ann, `/teams/${owners}/members/bob`)
    await app.put(bob, '/user/following/hers')

    assertStatus(await app.delete(root, '/admin/users/ann?purge=true'), 204)

    assert.equal((await app.get(bob, '/user')).body.following_count, 0)

    assertError(await app.get(bob, '/orgs/hers'), 404)
    assertStatus(await app.get(bob, '/orgs/theirs'), 200)
    assertError(await app.get(bob, '/users/ann'), 404)
  })
})
