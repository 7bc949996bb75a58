import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { signIn } from './setup.ts'

const good = {
  username: 'ann',
  email: 'ann@example.org',
  password: 'password1',
  must_change_password: false,
}

suite('POST /admin/users', () => {
  test('makes an account that can sign in', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()

    const { status, body } = await app.post(root, '/admin/users', {
      ...good,
      full_name: 'Ann A',
      login_name: 'ann1',
      visibility: 'limited',
      restricted: true,
      created_at: '2020-01-02T03:04:05+02:00',
      send_notify: true,
    })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, {
      login: 'ann',
      full_name: 'Ann A',
      email: 'ann@example.org',
      login_name: 'ann1',
      visibility: 'limited',
      active: true,
      is_admin: false,
      restricted: true,
      created: '2020-01-02T01:04:05Z',
    })
    assertStatus(await signIn(app, 'ann', 'password1'), 200)
  })

  test('makes it change its password first unless told otherwise', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const { must_change_password: _, ...rest } = good

    assertStatus(await app.post(root, '/admin/users', rest), 201)

    assert.match((await signIn(app, 'ann', 'password1')).body.message, /change_password/)
  })

  test('follows the settings for new accounts', async (t) => {
    const app = await startApp(t, {
      users: { default_visibility: 'private', hide_email: true, restricted: true },
      security: { min_password_length: 12 },
    })
    const root = await app.addCaller('root', { isAdmin: true, password: 'long enough 1' })

    assertError(await app.post(root, '/admin/users', good), 400)
    const made = await app.post(root, '/admin/users', { ...good, password: 'long enough 2' })

    assert.partialDeepStrictEqual(made.body, { visibility: 'private', restricted: true })
  })

  test('refuses names that are taken, reserved or no names', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('taken')
    await app.post(root, '/orgs', { username: 'acme' })
    const make = (username: string) => app.post(root, '/admin/users', { ...good, username })

    for (const name of ['taken', 'TAKEN', 'acme']) {
      assertError(await make(name), 422, `user already exists [name: ${name}]`)
    }
    for (const name of ['api', 'User', 'admin', 'ghost', 'assets']) {
      assertError(await make(name), 422, `name is reserved [name: ${name}]`)
    }
    for (const name of ['me.keys', 'a.png', 'x.RSS']) {
      assertError(await make(name), 422, /^name pattern is not allowed/)
    }
    for (const name of [
      'two words',
      '-dash',
      'dash-',
      'a/b',
      'two..dots',
      'a_-b',
      '.',
      '..',
      'naïve',
      'a\\b',
      'a\nb',
    ]) {
      assertError(await make(name), 422, '[Username]: invalid username')
    }
    assertError(await app.get(root, '/users/ann'), 404)
  })

  test('refuses addresses and passwords that are not good', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('taken')
    const make = (fields: object) => app.post(root, '/admin/users', { ...good, ...fields })

    assertError(
      await make({ email: 'taken@example.org' }),
      422,
      'e-mail already in use [email: taken@example.org]',
    )
    assertError(await make({ email: 'TAKEN@example.org' }), 422, /already in use/)
    for (const email of [
      'nonsense',
      'a@b@c',
      'a b@example.org',
      '@example.org',
      'a@',
      'a@-x.org',
    ]) {
      assertError(await make({ email }), 422, '[Email]: Email')
    }
    for (const email of [`${'x'.repeat(243)}@example.org`, 'x'.repeat(255)]) {
      assertError(await make({ email }), 422, '[Email]: MaxSize')
    }
    for (const password of ['12345', '', undefined, 'x'.repeat(257)]) {
      assertError(await make({ password }), 400)
    }
    assertError(await app.get(root, '/users/ann'), 404)
    assertStatus(await make({ password: '123456' }), 201)
  })

  test('of one name at the same moment makes one account', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()

    const answers = await Promise.all(
      ['ann', 'Ann', 'ANN', 'ann', 'aNN'].map((username, index) =>
        app.post(root, '/admin/users', { ...good, username, email: `x${index}@example.org` }),
      ),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 422, 422, 422, 422],
    )
  })
})
