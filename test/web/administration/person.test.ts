// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import { basic, callerWith, PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertAsksFirst, signIn } from '../support.ts'
import {
  administration,
  assertSeenByAdministrators,
  assertTakenFromAdministrators,
  startWithAdministrator,
} from './setup.ts'

const path = `${administration}/users/ann`
const own = `${administration}/users/root`

const form = {
  full_name: evil,
  email: 'new@example.org',
  website: 'https://ann.example',
  visibility: 'private',
  max_repo_creation: '3',
  active: 'true',
}

suite('/-/admin/users/{name}', () => {
  test('frees an account that too many wrong passwords have blocked', async (t) => {
    const setup = await startWithAdministrator(t, { security: { failures_per_account: 2 } })
    const { app, byRoot } = setup
    // From an address that it has not signed in from.
    await app.ctx.db.deleteFrom('known_address').execute()
    const call = (password: string) =>
      app.get(undefined, '/user', { authorization: basic('ann', password) })
    assert.doesNotMatch((await byRoot.get(path)).text, /is blocked/)
    for (const password of ['wrong', 'wrong']) assertStatus(await call(password), 401)
    assertStatus(await call(PASSWORD), 429)
    assert.match(
      wordsOf(await byRoot.get(path)),
      /Sign-in to this account is blocked .* 15 minutes/,
    )
    await assertTakenFromAdministrators(setup, `${path}/unblock`)
    assertStatus(await call(PASSWORD), 429)

    const freed = await byRoot.post(`${path}/unblock`, {})

    assert.equal(freed.headers['location'], '/-/admin/users/ann?saved=yes')
    assertStatus(await call(PASSWORD), 200)
    assert.doesNotMatch((await byRoot.get(path)).text, /is blocked/)
  })

  test('changes what the API changes', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, byRoot, byAnn } = setup
    await app.patch(root, '/admin/users/ann', { location: 'Here', description: 'Kept' })
    await assertSeenByAdministrators(setup, path)
    await assertTakenFromAdministrators(setup, path, { ...form, admin: 'true' })
    assert.equal((await app.get(root, '/users/ann')).body.is_admin, false)

    const saved = await byRoot.post(path, { ...form, restricted: 'true' })

    assert.equal(saved.headers['location'], '/-/admin/users/ann?saved=yes')
    assert.partialDeepStrictEqual((await app.get(root, '/users/ann')).body, {
      full_name: evil,
      email: 'new@example.org',
      website: 'https://ann.example',
      visibility: 'private',
      restricted: true,
      active: true,
      prohibit_login: false,
      is_admin: false,
      location: 'Here',
      description: 'Kept',
    })
    const page = await byRoot.get(`${path}?saved=yes`)
    assert.equal(hasScript(page), false)
    assert.match(page.text, /role="status">Saved/)
    assert.match(page.text, /name="max_repo_creation"[^>]* value="3"/)
    assert.match(page.text, /name="restricted"[^>]* checked/)
    assert.doesNotMatch(page.text, /name="allow_create_organization"[^>]* checked/)
    assertStatus(await byAnn.get('/org/create'), 404)
    assertStatus(await byAnn.get('/user/settings'), 200)
  })

  test('is led to from the page that everybody sees of somebody', async (t) => {
    const { app, root, byRoot, byAnn, visitor } = await startWithAdministrator(t)
    await app.post(root, '/orgs', { username: 'acme' })

    assert.match((await byRoot.get('/ann')).text, /href="\/-\/admin\/users\/ann"/)
    for (const answer of [await byAnn.get('/ann'), await visitor.get('/ann')]) {
      assertStatus(answer, 200)
      assert.doesNotMatch(answer.text, /\/-\/admin/)
    }
    assert.doesNotMatch((await byRoot.get('/acme')).text, /\/-\/admin\/users/)
  })

  test('makes administrators, and locks out at once', async (t) => {
    const { app, ann, byRoot, byAnn } = await startWithAdministrator(t)

    assertStatus(await byRoot.post(path, { ...form, admin: 'true' }), 303)
    assertStatus(await byAnn.get(administration), 200)
    assertStatus(await byRoot.post(path, { ...form, prohibit_login: 'true' }), 303)
    assertStatus(await byAnn.get('/user/settings'), 303)
    assertStatus(await app.get(ann, '/user'), 403)
    assert.match(wordsOf(await byRoot.get(path)), /ann May not sign in/)
    assertStatus(await byRoot.post(path, form), 303)
    assertStatus(await app.get(ann, '/user'), 200)
    assertStatus(await byAnn.get('/user/settings'), 303)
    assertStatus(await byRoot.post(path, { ...form, active: 'false' }), 303)
    assertStatus(await app.get(ann, '/user'), 403)
  })

  test('tells what is wrong, with what was typed, and changes nothing', async (t) => {
    const { app, root, byRoot } = await startWithAdministrator(t)
    for (const [changes, complaint] of [
      [{ email: 'root@example.org' }, /^email: Somebody has this address/],
      [{ email: 'x' }, /^email: This is no e-mail address/],
      [{ email: '' }, /^email: This is needed/],
      [{ website: 'javascript:x' }, /^website: This is no address/],
      [{ visibility: 'x' }, /^visibility: Choose one/],
      [{ max_repo_creation: '1.5' }, /^max_repo_creation: This is no whole number/],
      [{ full_name: 'x'.repeat(101) }, /^full_name: This is too long/],
    ] as const) {
      const answer = await byRoot.post(path, { ...form, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
      assert.match(answer.text, /name="website"[^>]* value="(https|javascript):/)
    }
    assert.partialDeepStrictEqual((await app.get(root, '/users/ann')).body, {
      full_name: '',
      email: 'ann@example.org',
      visibility: 'public',
    })
  })

  test('is of people alone', async (t) => {
    const { app, root, byRoot } = await startWithAdministrator(t)
    await app.post(root, '/orgs', { username: 'acme' })

    for (const name of ['acme', 'nobody', '%00', encodeURIComponent(evil)]) {
      const page = `${administration}/users/${name}`
      assertStatus(await byRoot.get(page), 404)
      assertStatus(await byRoot.post(page, form), 404)
      assertStatus(await byRoot.post(`${page}/rename`, { new_name: 'bob' }), 404)
      assertStatus(await byRoot.post(`${page}/delete`, { delete_name: name }), 404)
    }
    assertStatus(await app.get(root, '/orgs/acme'), 200)
  })

  test('does not lock out who uses it', async (t) => {
    const { app, root, byRoot } = await startWithAdministrator(t)
    await app.addAdmin('eve')
    const page = await byRoot.get(own)
    assert.doesNotMatch(page.text, /name="(admin|active|prohibit_login|password|delete_name)"/)
    assert.match(page.text, /href="\/user\/change_password"/)

    const locking = { ...form, active: 'false', prohibit_login: 'true', admin: 'false' }
    assertStatus(await byRoot.post(own, locking), 303)
    for (const [part, fields] of [
      ['password', { password: 'another1' }],
      ['two-factor/delete', {}],
      ['delete', { delete_name: 'root', purge: 'true' }],
    ] as const) {
      assertStatus(await byRoot.post(`${own}/${part}`, fields), 422)
    }

    assertStatus(await byRoot.get(administration), 200)
    assert.partialDeepStrictEqual((await app.get(root, '/user')).body, {
      is_admin: true,
      active: true,
      email: 'new@example.org',
    })
    await signIn(app, 'root')
  })
})

suite('/-/admin/users/{name}/password', () => {
  const password = `${path}/password`

  test('sets a new one, which ends sessions', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, ann, byRoot, byAnn } = setup
    const by = (word: string) => callerWith(ann.account, { authorization: basic('ann', word) })
    await assertTakenFromAdministrators(setup, password, { password: 'another1' })
    const short = await byRoot.post(password, { password: 'short' })
    assertStatus(short, 422)
    assert.match(complaintIn(short.text), /^password: The password must have at least 6/)
    assertStatus(await app.get(by(PASSWORD), '/user'), 200)

    assertStatus(await byRoot.post(password, { password: 'another1' }), 303)

    assertStatus(await app.get(by(PASSWORD), '/user'), 401)
    assertStatus(await app.get(by('another1'), '/user'), 200)
    assertStatus(await byAnn.get('/user/settings'), 303)
    const change = { password: 'another2', must_change_password: 'true' }
    assertStatus(await byRoot.post(password, change), 303)
    assertStatus(await app.get(by('another2'), '/user'), 403)
  })
})

suite('/-/admin/users/{name}/two-factor/delete', () => {
  const page = `${administration}/users/bob`
  const off = `${page}/two-factor/delete`

  test('switches a lost second factor off', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, byRoot } = setup
    const bob = await app.addPerson('bob')
    assert.match(wordsOf(await byRoot.get(page)), /Second factor They have none/)
    assertStatus(await byRoot.post(off), 409)
    await enableSecondFactor(app.ctx, bob)
    await assertTakenFromAdministrators(setup, off)
    assertStatus(await app.get(app.withPassword(bob), '/user'), 401)
    assertAsksFirst(await byRoot.get(page), off)

    assertStatus(await byRoot.post(off), 303)

    assertStatus(await app.get(app.withPassword(bob), '/user'), 200)
    assert.doesNotMatch((await byRoot.get(page)).text, /two-factor\/delete/)
  })
})

suite('/-/admin/users/{name}/rename', () => {
  const rename = `${path}/rename`

  test('gives another name, also to oneself', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, byRoot } = setup
    await assertTakenFromAdministrators(setup, rename, { new_name: 'anna' })
    for (const [name, complaint] of [
      ['root', /^new_name: This name is taken/],
      ['user', /^new_name: This name is kept/],
      [evil, /^new_name: Letters and digits/],
      ['', /^new_name: This is needed/],
    ] as const) {
      const answer = await byRoot.post(rename, { new_name: name })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }

    const renamed = await byRoot.post(rename, { new_name: 'anna' })

    assert.equal(renamed.headers['location'], '/-/admin/users/anna?saved=yes')
    assert.equal((await app.get(root, '/users/anna')).body.login, 'anna')
    assertStatus(await byRoot.post(`${own}/rename`, { new_name: 'chief' }), 303)
    assertStatus(await byRoot.get(`${administration}/users/chief`), 200)
  })
})

suite('/-/admin/users/{name}/delete', () => {
  const remove = `${path}/delete`
  const confirmed = { delete_name: 'ann' }

  test('deletes who owns nothing, when the name is typed', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, ann, byRoot } = setup
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/orgs', { username: 'acme' })
    await assertTakenFromAdministrators(setup, remove, { ...confirmed, purge: 'true' })
    const refusal = async (fields: Record<string, string>) => {
      const answer = await byRoot.post(remove, fields)
      assertStatus(answer, 422)
      return complaintIn(answer.text)
    }
    assert.match(await refusal({}), /^delete_name: This is not the name/)
    assert.match(await refusal({ delete_name: 'an', purge: 'true' }), /^delete_name: This is not/)
    assert.match(await refusal(confirmed), /^delete_name: They own repositories/)
    await app.delete(root, '/repos/ann/one')
    assert.match(await refusal(confirmed), /^delete_name: They are in organizations/)
    await app.delete(root, '/orgs/acme')
    const type = { 'content-type': 'application/octet-stream' }
    assertStatus(await app.put(ann, '^/api/packages/ann/generic/tool/1/f', 'x', type), 201)
    assert.match(await refusal(confirmed), /^delete_name: They have packages: delete these first/)
    await app.delete(ann, '/packages/ann/generic/tool')

    const removed = await byRoot.post(remove, confirmed)

    assert.equal(removed.headers['location'], '/-/admin/users?saved=yes')
    assertStatus(await app.get(root, '/users/ann'), 404)
    assertStatus(await byRoot.get(path), 404)
  })

  test('takes along what only they own, where that is ticked', async (t) => {
    const { app, root, ann, byRoot } = await startWithAdministrator(t)
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'two' })

    assertStatus(await byRoot.post(remove, { ...confirmed, purge: 'true' }), 303)

    for (const gone of ['/users/ann', '/orgs/acme', '/repos/acme/two']) {
      assertStatus(await app.get(root, gone), 404)
    }
  })
})
