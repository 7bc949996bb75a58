import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { PASSWORD } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { startGitHost } from '../git/support.ts'

async function start(t: TestContext) {
  const host = await startGitHost(t, { network: { allow_private: true } })
  const { app } = host
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'r', auto_init: true }), 201)
  assertStatus(await app.post(ann, '/user/repos', { name: 'target' }), 201)
  const options = {
    remote_address: host.url('ann/target.git'),
    remote_username: 'ann',
    remote_password: PASSWORD,
    interval: '8h',
  }
  return { host, app, ann, options }
}

suite('POST /repos/{owner}/{repo}/push_mirrors-sync', () => {
  test('pushes everything while the caller waits', async (t) => {
    const { app, ann, options } = await start(t)
    await app.post(ann, '/repos/ann/r/push_mirrors', options)

    const answer = await app.post(ann, '/repos/ann/r/push_mirrors-sync')
    console.log((await app.get(ann, '/repos/ann/r/push_mirrors')).body)

    assertStatus(answer, 200)
    assert.equal((await app.get(ann, '/repos/ann/target')).body.empty, false)
  })
})
