// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('the key that commits of the server are signed with', () => {
  test('is none', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    for (const name of ['open', 'hidden']) {
      const repository = { name, private: name === 'hidden' }
      assertStatus(await app.post(ann, '/user/repos', repository), 201)
    }
    const narrow = await app.withToken(ann.account, ['read:user'])

    for (const key of ['signing-key.gpg', 'signing-key.pub']) {
      for (const path of [`/${key}`, `/repos/ann/open/${key}`]) {
        for (const who of [ann, bob, undefined]) {
          assertError(await app.get(who, path), 404, 'no signing key')
        }
        assert.equal((await app.post(ann, path, {})).status, 405)
      }
      const hidden = `/repos/ann/hidden/${key}`
      assertError(await app.get(ann, hidden), 404, 'no signing key')
      const absent = (await app.get(bob, `/repos/ann/absent/${key}`)).text
      assert.equal((await app.get(bob, hidden)).text, absent)
      assert.notEqual(absent, (await app.get(ann, hidden)).text)
      assertError(await app.get(narrow, `/repos/ann/open/${key}`), 403, /scope/)
    }
  })
})
