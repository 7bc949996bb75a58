// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic, startApp, type Headers, type TestAnswer, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'

const filledIn = {
  user_name: 'ann',
  email: 'ann@example.org',
  password: 'pass word 1',
  retype: 'pass word 1',
}

async function submit(
  app: TestApp,
  changes: Partial<typeof filledIn> = {},
  headers: Headers = {},
): Promise<TestAnswer> {
  const form = new URLSearchParams({ ...filledIn, ...changes }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.post(undefined, '^/user/sign_up', form, { ...type, ...headers })
}

suite('/user/sign_up', () => {
  test('is not there unless the setting says so', async (t) => {
    const app = await startApp(t)

    assertStatus(await app.get(undefined, '^/user/sign_up'), 404)
    assertStatus(await submit(app), 404)
  })

  test('makes an account that can call at once; the first is an administrator', async (t) => {
    const app = await startApp(t, { users: { sign_up: true } })

    const page = await app.get(undefined, '^/user/sign_up')
    for (const name of Object.keys(filledIn)) assert.match(page.text, new RegExp(`name="${name}"`))
    const first = await submit(app)
    assertStatus(first, 303)
    assert.equal(first.headers['location'], '/')
    const sameOrigin = { 'sec-fetch-site': 'same-origin' }
    assertStatus(await submit(app, { user_name: 'bob', email: 'b@example.org' }, sameOrigin), 303)

    for (const [name, isAdmin] of [['ann', true] as const, ['bob', false] as const]) {
      const headers = { authorization: basic(name, filledIn.password) }
      assert.equal((await app.get(undefined, '/user', headers)).body.is_admin, isAdmin, name)
      const token = { name: 'first', scopes: ['all'] }
      assertStatus(await app.post(undefined, `/users/${name}/tokens`, token, headers), 201)
    }
  })

  test('shows the form again, with what is wrong, and makes nothing', async (t) => {
    const app = await startApp(t, { users: { sign_up: true } })
    await app.addPerson('bob')
    const refused: [Partial<typeof filledIn>, RegExp][] = [
      [{ user_name: '' }, /Choose a name/],
      [{ user_name: 'BOB' }, /This name is taken/],
      [{ user_name: 'api' }, /This name is reserved/],
      [{ user_name: 'a b' }, /Letters and digits/],
      [{ email: 'nonsense' }, /not an e-mail address/],
      [{ email: 'bob@example.org' }, /This address cannot be used/],
      [{ password: 'x', retype: 'x' }, /at least 6 characters/],
      [{ retype: 'other' }, /The two passwords differ/],
    ]

    for (const [changes, complaint] of refused) {
      const answer = await submit(app, changes)
      assertStatus(answer, 200)
      assert.match(answer.text, complaint)
      assert.doesNotMatch(answer.text, /pass word 1/)
    }
    assertStatus(await submit(app, {}, { 'sec-fetch-site': 'cross-site' }), 403)
    assertStatus(await submit(app, {}, { origin: 'http://elsewhere.test' }), 403)

    const rows = await app.ctx.db.selectFrom('account').select('name').execute()
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['bob'],
    )
  })

  test('makes one administrator of many who come first', async (t) => {
    const app = await startApp(t, { users: { sign_up: true } })

    await Promise.all(
      ['a1', 'b2', 'c3', 'd4'].map((name) =>
        submit(app, { user_name: name, email: `${name}@example.org` }),
      ),
    )

    const rows = await app.ctx.db.selectFrom('account').select('is_admin').execute()
    assert.equal(rows.filter(({ is_admin }) => is_admin === 1).length, 1)
  })
})
