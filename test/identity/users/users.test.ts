import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const logins = ({ body }: TestAnswer) =>
  (body.data ?? body).map(({ login }: { login: string }) => login) as string[]

suite('GET /user', () => {
  test('is the complete record of the caller', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('Ann', { fullName: 'Ann A', email: 'Ann@Example.org' })

    const { status, body } = await app.get(ann, '/user')

    assert.equal(status, 200)
    assert.match(body.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(body, {
      id: 1,
      login: 'Ann',
      login_name: '',
      source_id: 0,
      full_name: 'Ann A',
      email: 'Ann@Example.org',
      avatar_url: `http://codestead.test/avatars/${md5('ann@example.org')}`,
      html_url: 'http://codestead.test/Ann',
      language: '',
      is_admin: false,
      last_login: '1970-01-01T00:00:00Z',
      created: body.created,
      restricted: false,
      active: true,
      prohibit_login: false,
      location: '',
      website: '',
      description: '',
      visibility: 'public',
      followers_count: 0,
      following_count: 0,
      starred_repos_count: 0,
      username: 'Ann',
    })
  })

  test('needs a signed-in caller', async (t) => {
    const app = await startApp(t)

    assertError(await app.get(undefined, '/user'), 401, 'token is required')
  })
})

suite('GET /users/{username}', () => {
  test('shows others less than the account itself and administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {
      isAdmin: true,
      loginName: 'ann-at-source',
      sourceId: 3,
    })
    const bob = await app.addCaller('bob')
    await app.patch(ann, '/user/settings', { language: 'de-DE' })
    const hidden = {
      login_name: '',
      source_id: 0,
      language: '',
      is_admin: false,
      active: false,
      prohibit_login: false,
      last_login: '0001-01-01T00:00:00Z',
    }

    for (const who of [bob, undefined]) {
      assert.partialDeepStrictEqual((await app.get(who, '/users/ann')).body, hidden)
    }
    assert.partialDeepStrictEqual((await app.get(ann, '/users/ann')).body, {
      login_name: 'ann-at-source',
      source_id: 3,
      language: 'de-DE',
      is_admin: true,
      active: true,
    })
    assert.equal((await app.get(ann, '/users/bob')).body.active, true)
  })

  test('shows the address to signed-in callers unless it is hidden', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('Ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    const placeholder = `${ann.id}+ann@noreply.codestead.test`
    const seen = async (who: typeof bob | undefined) =>
      (await app.get(who, '/users/ann')).body.email

    assert.equal(await seen(undefined), placeholder)
    assert.equal(await seen(bob), 'Ann@example.org')
    await app.patch(ann, '/user/settings', { hide_email: true })
    assert.equal(await seen(bob), placeholder)
    assert.equal(await seen(ann), 'Ann@example.org')
    assert.equal(await seen(root), 'Ann@example.org')
  })

  test('finds names in any letter case and shows the stored spelling', async (t) => {
    const app = await startApp(t)
    await app.addCaller('Ann')

    assert.equal((await app.get(undefined, '/users/aNN')).body.login, 'Ann')
  })

  test('of nobody says so', async (t) => {
    const app = await startApp(t)

    assertError(
      await app.get(undefined, '/users/nobody'),
      404,
      'user redirect does not exist [name: nobody]',
    )
  })

  test('hides limited accounts from the anonymous, private ones from everybody else', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const restricted = await app.addCaller('restricted', { isRestricted: true })
    const root = await app.addAdmin()
    const limited = await app.addCaller('limited', { visibility: 'limited' })
    const hidden = await app.addCaller('hidden', { visibility: 'private' })
    const seenBy = async (name: string) => {
      const callers = [undefined, ann, restricted, limited, hidden, root]
      return Promise.all(callers.map(async (who) => (await app.get(who, `/users/${name}`)).status))
    }

    assert.deepEqual(await seenBy('ann'), [200, 200, 200, 200, 200, 200])
    assert.deepEqual(await seenBy('limited'), [404, 200, 404, 200, 200, 200])
    assert.deepEqual(await seenBy('hidden'), [404, 404, 404, 404, 200, 200])
    assert.equal((await app.get(ann, '/users/hidden')).body.message, 'not found')
  })

  test('shows a private person to whom they follow', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const hidden = await app.addCaller('hidden', { visibility: 'private' })

    assertStatus(await app.put(hidden, '/user/following/ann'), 204)

    assertStatus(await app.get(ann, '/users/hidden'), 200)
  })

  test('hides everybody from restricted callers where sign-in is required', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'true' } })
    await app.addPerson('ann')
    const restricted = await app.addCaller('restricted', { isRestricted: true })

    assertError(await app.get(restricted, '/users/ann'), 404)
    assertStatus(await app.get(restricted, '/users/restricted'), 200)
  })

  test('can be closed to the anonymous', async (t) => {
    const app = await startApp(t, { users: { explore_requires_sign_in: true } })
    const ann = await app.addCaller('ann')

    for (const path of ['/users/ann', '/users/search']) {
      assertError(await app.get(undefined, path), 401, 'you must be signed in to search for users')
      assertStatus(await app.get(ann, path), 200)
    }
  })
})

suite('GET /users/search', () => {
  const find = (app: TestApp, who: Parameters<TestApp['get']>[0], query: string) =>
    app.get(who, `/users/search?${query}`)

  test('matches parts of login, full name and address, in any letter case, by name', async (t) => {
    const app = await startApp(t)
    await app.addPerson('zoe', { fullName: 'Ångström Žižek' })
    await app.addPerson('Adam', { email: 'first@corp.example' })
    await app.addPerson('bob_x')

    assert.deepEqual(logins(await find(app, undefined, '')), ['Adam', 'bob_x', 'zoe'])
    assert.deepEqual(logins(await find(app, undefined, 'q=DAM')), ['Adam'])
    assert.deepEqual(logins(await find(app, undefined, `q=${encodeURIComponent('ÅNGSTRÖM ž')}`)), [
      'zoe',
    ])
    assert.deepEqual(logins(await find(app, undefined, 'q=corp.EXAMPLE')), ['Adam'])
  })

  test('takes wildcards literally', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    await app.addPerson('bob_x')

    assert.deepEqual(logins(await find(app, undefined, 'q=_')), ['bob_x'])
    for (const q of ['%25', '%5C', "'; DROP TABLE account", '%00%25', 'x'.repeat(5000)]) {
      assert.deepEqual(logins(await find(app, undefined, `q=${q}`)), [], q)
    }
  })

  test('finds a hidden address for its owner and administrators only', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', { email: 'secret@corp.example' })
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    await app.patch(ann, '/user/settings', { hide_email: true })

    assert.deepEqual(logins(await find(app, bob, 'q=corp')), [])
    assert.deepEqual(logins(await find(app, ann, 'q=corp')), ['ann'])
    assert.deepEqual(logins(await find(app, root, 'q=corp')), ['ann'])
  })

  test('selects one id, and the text still applies', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')

    assert.deepEqual(logins(await find(app, undefined, `uid=${ann.id}`)), ['ann'])
    assert.deepEqual(logins(await find(app, undefined, `uid=${ann.id}&q=bob`)), [])
    assert.deepEqual(logins(await find(app, undefined, 'uid=999999')), [])
  })

  test('shows people only, those whom the caller may see, with exact totals', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const hidden = await app.addCaller('hidden', { visibility: 'private' })
    const limited = await app.addCaller('limited', { visibility: 'limited' })
    const restricted = await app.addCaller('restricted', { isRestricted: true })
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'acme' })
    const seen = async (who: typeof ann | undefined) => {
      const answer = await find(app, who, 'limit=50')
      assert.equal(answer.body.ok, true)
      assert.equal(answer.headers['x-total-count'], String(answer.body.data.length))
      return logins(answer)
    }

    assert.deepEqual(await seen(undefined), ['ann', 'restricted', 'root'])
    assert.deepEqual(await seen(ann), ['ann', 'limited', 'restricted', 'root'])
    assert.deepEqual(await seen(limited), ['ann', 'limited', 'restricted', 'root'])
    assert.deepEqual(await seen(hidden), ['ann', 'hidden', 'limited', 'restricted', 'root'])
    assert.deepEqual(await seen(restricted), ['restricted'])
    assert.deepEqual(await seen(root), ['ann', 'hidden', 'limited', 'restricted', 'root'])
  })

  test('is paged with links', async (t) => {
    const app = await startApp(t)
    for (const name of ['a', 'b', 'c']) await app.addPerson(name)

    const answer = await find(app, undefined, 'limit=1&page=2')

    assert.deepEqual(logins(answer), ['b'])
    assert.match(
      answer.headers['link'] ?? '',
      /page=3>; rel="next",.*page=3>; rel="last",.*page=1>; rel="first",.*page=1>; rel="prev"$/,
    )
  })
})

suite('people in other records', () => {
  test('are shown as in public where they wrote, worked or are assigned', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    await app.post(ann, '/user/repos', { name: 'r', auto_init: true })
    const repo = '/repos/ann/r'
    await app.post(ann, `${repo}/issues`, { title: 'one', assignees: ['ann'] })
    const { id } = (await app.post(ann, `${repo}/issues/1/comments`, { body: 'x' })).body
    const [commit] = (await app.get(ann, `${repo}/commits`)).body
    const state = { state: 'success' }
    const status = (await app.post(ann, `${repo}/statuses/${commit.sha}`, state)).body

    for (const who of [ann, root]) {
      const issue = (await app.get(who, `${repo}/issues/1`)).body
      const comment = (await app.get(who, `${repo}/issues/comments/${id}`)).body
      const timeline = (await app.get(who, `${repo}/issues/1/timeline`)).body
      const compared = (await app.get(who, `${repo}/git/commits/${commit.sha}`)).body
      const shown = [
        issue.assignee,
        issue.assignees[0],
        comment.user,
        ...timeline.map(({ user }: { user: object }) => user),
        commit.author,
        compared.committer,
        status.creator,
      ]
      for (const person of shown) {
        assert.equal(person.email, `${ann.id}+ann@noreply.codestead.test`)
        assert.equal(person.active, false)
      }
      assert.equal(issue.user.email, 'ann@example.org')
    }
  })
})
