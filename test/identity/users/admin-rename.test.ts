import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { atOnce } from '../../support/at-once.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('POST /admin/users/{username}/rename', () => {
  test('gives another name; the old one leads to it until somebody takes it', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const rename = (name: string, to: string) =>
      app.post(root, `/admin/users/${name}/rename`, { new_username: to })

    assertStatus(await rename('ann', 'carol'), 204)
    assertStatus(await rename('carol', 'dora'), 204)

    assert.equal((await app.get(ann, '/user')).body.login, 'dora')
    for (const old of ['ann', 'ANN', 'carol']) {
      const answer = await app.get(undefined, `/users/${old}?a=b%20c&d`)
      assert.equal(answer.status, 307)
      assert.equal(answer.headers['location'], '/api/v1/users/dora?a=b%20c&d')
      assert.equal(
        answer.text,
        '<a href="/api/v1/users/dora?a=b%20c&amp;d">Temporary Redirect</a>.\n\n',
      )
    }
    await app.addPerson('ann', { email: 'other@example.org' })
    assertStatus(await app.get(undefined, '/users/ann'), 200)
    assertStatus(await rename('dora', 'carol'), 204)
    assertStatus(await app.get(undefined, '/users/carol'), 200)
  })

  test('keeps the method, and the sub-path of the server', async (t) => {
    const app = await startApp(t, { server: { url: 'https://forge.example/sub' } })
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.post(root, '/admin/users/ann/rename', { new_username: 'carol' })

    const answer = await app.delete(app.withPassword(root.account), '/users/ann/tokens/x')

    assert.equal(answer.status, 307)
    assert.equal(answer.headers['location'], '/sub/api/v1/users/carol/tokens/x')
    assert.equal(answer.text, '')
    for (const moved of [
      await app.patch(root, '/admin/users/ann', {}),
      await app.delete(root, '/admin/users/ann'),
      await app.post(root, '/admin/users/ann/rename', { new_username: 'dora' }),
      await app.post(root, '/admin/users/ann/repos', { name: 'r' }),
    ]) {
      assertStatus(moved, 307)
      assert.match(moved.headers['location'] ?? '', /^\/sub\/api\/v1\/admin\/users\/carol/)
    }
  })

  test('does not lead to an account that the caller may not see', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const bob = await app.addCaller('bob')
    await app.addPerson('ann', { visibility: 'private' })
    await app.post(root, '/admin/users/ann/rename', { new_username: 'carol' })

    for (const who of [undefined, bob]) {
      assertError(await app.get(who, '/users/ann'), 404, 'user redirect does not exist [name: ann]')
    }
    assertStatus(await app.get(root, '/users/ann'), 307)
  })

  test('changes the spelling of a name without a redirect', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')

    assertStatus(await app.post(root, '/admin/users/ann/rename', { new_username: 'Ann' }), 204)

    assert.equal((await app.get(undefined, '/users/ann')).body.login, 'Ann')
  })

  test('twice in the same moment leaves every name that it had leading on', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const prepare = async (round: number) => {
      await app.addPerson(`person${round}`)
      return `person${round}`
    }
    const rename = (ending: string) => (name: string) =>
      app.post(root, `/admin/users/${name}/rename`, { new_username: `${name}-${ending}` })

    await atOnce(prepare, [rename('a'), rename('b')], async (name, answers) => {
      const done = answers.filter(({ status }) => status === 204)
      const names = [name, `${name}-a`, `${name}-b`]
      const found = await Promise.all(names.map((one) => app.get(root, `/users/${one}`)))
      const known = found.map(({ status }) => status).filter((status) => status !== 404)
      assert.equal(known.length, done.length + 1)
    })
  })

  test('refuses names as for a new account', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const bob = await app.addCaller('bob')
    await app.addPerson('ann')
    await app.post(bob, '/orgs', { username: 'acme' })
    const rename = (body: object, name = 'ann') =>
      app.post(root, `/admin/users/${name}/rename`, body)

    assertError(await rename({ new_username: 'BOB' }), 422, 'user already exists [name: BOB]')
    assertError(await rename({}), 422, '[NewName]: Required')
    assertError(await rename({ new_username: 'api' }), 422, /reserved/)
    assertError(await rename({ new_username: 'two words' }), 422, '[NewName]: invalid username')
    assertError(await rename({ new_username: 'x' }, 'acme'), 422)
    assertError(await rename({ new_username: 'x' }, 'nobody'), 404)
    assertError(await app.post(bob, '/admin/users/ann/rename', { new_username: 'x' }), 403)
    assertStatus(await app.get(undefined, '/users/ann'), 200)
  })
})
