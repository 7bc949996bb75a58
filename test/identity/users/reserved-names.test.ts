import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const DAY = 86_400

suite('the name of an account that is deleted or renamed', () => {
  test('is free at once, unless the server keeps it for some days', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')

    assertStatus(await app.delete(root, '/admin/users/ann'), 204)
    assertStatus(await app.post(root, '/orgs', { username: 'ann' }), 201)
    assert.deepEqual(await app.ctx.db.selectFrom('reserved_name').selectAll().execute(), [])
  })

  test('is kept for as many days as the setting says, and then free', async (t) => {
    const app = await startApp(t, { users: { reserved_name_days: 90 } })
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.addPerson('bob')
    await app.post(root, '/orgs', { username: 'acme' })
    const person = (username: string) =>
      app.post(root, '/admin/users', {
        username,
        email: `new-${username}@example.org`,
        password: 'password1',
      })
    const rename = (from: string, new_username: string) =>
      app.post(root, `/admin/users/${from}/rename`, { new_username })
    const message = (name: string) => `name is reserved [name: ${name}]`

    assertStatus(await app.delete(root, '/admin/users/ann'), 204)
    assertStatus(await app.delete(root, '/orgs/acme'), 204)
    assertStatus(await rename('bob', 'rob'), 204)
    for (const name of ['Ann', 'acme', 'bob']) {
      assertError(await person(name), 422, message(name))
      assertError(await app.post(root, '/orgs', { username: name }), 422, message(name))
    }
    assertError(await rename('rob', 'ANN'), 422, message('ANN'))
    assertStatus(await app.get(root, '/users/rob'), 200)
    assertStatus(await rename('rob', 'ROB'), 204)

    // Whoever gave a name up may have it back.
    assertStatus(await rename('rob', 'bob'), 204)
    assertError(await person('rob'), 422, message('rob'))
    app.passTime(90 * DAY)
    for (const name of ['ann', 'acme', 'rob']) assertStatus(await person(name), 201)
    assertStatus(await app.delete(root, '/admin/users/ann'), 204)
    assertError(await person('ann'), 422, message('ann'))
  })
})
