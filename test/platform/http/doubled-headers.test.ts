// One database is enough: nothing is asked of it.
import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { startApp, type TestApp } from '../../support/app.ts'

async function statusOf(app: TestApp, headers: readonly string[]): Promise<number | undefined> {
  const { port } = app.server.server.address() as AddressInfo
  const options = { port, host: '127.0.0.1', path: '/api/v1/user', agent: false }
  const sent = request({ ...options, headers, setHost: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

suite('a header that says who is asked, or who asks', () => {
  test('is there once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const own = ['Host', 'x', 'Authorization', ann.headers['authorization'] ?? '']

    assert.equal(await statusOf(app, own), 200)
    assert.equal(await statusOf(app, [...own, 'host', 'y']), 400)
    assert.equal(await statusOf(app, [...own, 'host', 'x']), 400)
    assert.equal(await statusOf(app, [...own, 'authorization', 'token x']), 400)
    assert.equal(await statusOf(app, [...own, 'accept', 'a', 'accept', 'b']), 200)
  })
})
