import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../../support/expect.ts'

const REFUSED = 'invalid username, password or token'

/** Each test puts two failures into one request: the earlier check answers. */
suite('the order of checks', () => {
  test('routing comes before authentication', async (t) => {
    const app = await startApp(t)
    const wrong = { authorization: 'token wrong' }

    assertStatus(await app.get(undefined, '/nothing', wrong), 404)
    assertStatus(await app.delete(undefined, '/version', undefined, wrong), 405)
  })

  test('the warning about query tokens is given even when the token is refused', async (t) => {
    const app = await startApp(t)

    const answer = await app.get(undefined, '/version?token=wrong')

    assertError(answer, 401, REFUSED)
    assert.match(answer.headers['x-service-warning'] ?? '', /deprecated/)
    assert.equal(answer.headers['x-gitea-warning'], answer.headers['x-service-warning'])
  })

  test('authentication comes before everything that looks at the path or the body', async (t) => {
    const app = await startApp(t)
    const wrong = { authorization: 'token wrong', 'content-type': 'application/json' }

    for (const answer of [
      await app.get(undefined, '/version', wrong),
      await app.get(undefined, '/users/nobody', wrong),
      await app.post(undefined, '/orgs', '{', wrong),
      await app.get(undefined, '/user?sudo=nobody', wrong),
    ]) {
      assertError(answer, 401, REFUSED)
      assert.equal(answer.headers['www-authenticate'], undefined)
    }
  })

  test('the state of the account comes before sudo and scopes', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann', {}, ['read:misc'])
    await app.patch(root, '/admin/users/ann', { prohibit_login: true })

    assertBareError(await app.get(ann, '/user?sudo=nobody'), 403, /prohibited/)
    assertBareError(await app.get(ann, '/user'), 403, /prohibited/)
  })

  test('the site-wide sign-in requirement comes before sudo and unknown users', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'true' } })
    const message = 'Only signed in user is allowed to call APIs.'

    for (const path of ['/version', '/users/nobody', '/user', '/version?sudo=nobody']) {
      assertBareError(await app.get(undefined, path), 403, message)
    }
  })

  test('"expensive" pages are not the API', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'expensive' } })

    assertStatus(await app.get(undefined, '/version'), 200)
  })

  test('sudo comes before scopes', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:misc'])

    const answer = await app.get(ann, '/user?sudo=nobody')

    assertBareError(answer, 403, 'Only administrators allowed to sudo.')
  })

  test('an unknown target of sudo comes before scopes', async (t) => {
    const app = await startApp(t)
    const root = await app.addCaller('root', { isAdmin: true }, ['read:misc'])

    assertError(await app.get(root, '/user?sudo=nobody'), 404, 'not found')
  })

  test('scopes come before what the path names', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:misc'])

    assertError(await app.get(ann, '/users/nobody'), 403, /required=\[read:user\]/)
  })

  test('scopes come before the public-only refusal', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['public-only', 'read:misc'])

    assertError(await app.get(ann, '/user/emails'), 403, /required=\[read:user\]/)
  })

  test('what the path names comes before the public-only refusal', async (t) => {
    const app = await startApp(t)
    await app.addCaller('hidden', { visibility: 'private' })
    await app.addCaller('limited', { visibility: 'limited' })
    const ann = await app.addCaller('ann', {}, ['public-only', 'all'])

    assertError(await app.get(ann, '/users/nobody'), 404)
    assertError(await app.get(ann, '/users/hidden'), 404, 'not found')
    assertError(await app.get(ann, '/users/limited'), 403, 'token scope is limited to public users')
  })

  test('the public-only refusal comes before the body', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['public-only', 'all'])

    const answer = await app.post(ann, '/user/emails', '{', { 'content-type': 'application/json' })

    assertError(answer, 403, 'this endpoint is not available for public-only tokens')
  })

  test('a user who cannot be seen comes before the sign-in requirement of the route', async (t) => {
    const app = await startApp(t)
    await app.addCaller('hidden', { visibility: 'private' })
    await app.addCaller('ann')

    assertError(await app.get(undefined, '/users/hidden/tokens'), 404, 'not found')
    assertError(await app.get(undefined, '/users/ann/tokens'), 403)
  })

  test('the sign-in requirement comes before the body', async (t) => {
    const app = await startApp(t)

    const answer = await app.post(undefined, '/user/emails', '{', {
      'content-type': 'application/json',
    })

    assertError(answer, 401, 'token is required')
  })

  test('the right to administrate comes before the body and before unknown accounts', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const json = { 'content-type': 'application/json' }

    assertError(await app.post(undefined, '/admin/users', '{', json), 401, 'token is required')
    assertError(
      await app.post(ann, '/admin/users', '{', json),
      403,
      'user should be the site admin',
    )
    assertError(await app.patch(ann, '/admin/users/nobody', '{', json), 403)
  })

  test('what the path names comes before the body', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()

    const answer = await app.patch(root, '/admin/users/nobody', '{', {
      'content-type': 'application/json',
    })

    assertError(answer, 404)
  })

  test('the body comes before the rules of the operation', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addCaller('ann')

    const answer = await app.post(root, '/admin/users', {
      username: 'ann',
      email: 'ann@example.org',
      visibility: 'secret',
    })

    assertError(answer, 422, '[Visibility]: In')
  })
})
