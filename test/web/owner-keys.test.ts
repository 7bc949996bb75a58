// One database is enough: keys are listed as the API lists them.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gpgKey } from '../identity/keys/gpg-support.ts'
import { ed25519Key } from '../identity/keys/support.ts'
import { startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { Visitor } from './support.ts'

suite('GET /{name}.keys and /{name}.gpg', () => {
  test('have the keys of a person, without the words behind them', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const [first, second] = [ed25519Key(), ed25519Key()]
    for (const key of [first, `${second} ann@home.example`]) {
      assertStatus(await app.post(ann, '/user/keys', { title: key.slice(-8), key }), 201)
    }
    const { armored } = await gpgKey(['ann@example.org'])
    assertStatus(await app.post(ann, '/user/gpg_keys', { armored_public_key: armored }), 201)

    const ssh = await new Visitor(app).get('/Ann.keys')
    const gpg = await new Visitor(app).get('/ann.gpg')

    assert.deepEqual([ssh.status, ssh.text], [200, `${first}\n${second}\n`])
    assert.equal(ssh.headers['content-type'], 'text/plain; charset=utf-8')
    assert.deepEqual([gpg.status, gpg.text.trim()], [200, armored.trim()])
  })

  test('are empty for who has none, and not there for others', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    await app.addCaller('hidden')
    const hide = { visibility: 'private', login_name: 'hidden', source_id: 0 }
    assertStatus(await app.patch(root, '/admin/users/hidden', hide), 200)
    await app.post(ann, '/orgs', { username: 'acme' })

    for (const ending of ['.keys', '.gpg']) {
      const none = await new Visitor(app).get(`/ann${ending}`)
      assert.deepEqual([none.status, none.text], [200, ''])
      for (const name of ['nobody', 'acme', 'hidden', '']) {
        assertStatus(await new Visitor(app).get(`/${name}${ending}`), 404)
      }
    }
  })
})
