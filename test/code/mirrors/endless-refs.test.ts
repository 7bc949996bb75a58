// One database is enough: what another server says does not come that far.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { startMirrorHost } from './support.ts'

/** More than git may keep of it, and less than would harm a machine. */
const END_BYTES = 1_500_000_000

/** A server with one repository, whose references have hardly an end. */
async function listenEndlessly(t: TestContext) {
  const line = (at: number) => pktLine(`${'1'.repeat(40)} refs/heads/${'x'.repeat(900)}${at}\n`)
  const chunk = Array.from({ length: 1000 }, (_, at) => line(at)).join('')
  const told = { bytes: 0 }
  const tell = async (response: ServerResponse) => {
    response.write(`${pktLine('# service=git-upload-pack\n')}0000`)
    response.write(pktLine(`${'1'.repeat(40)} HEAD\0symref=HEAD:refs/heads/main\n`))
    while (!response.destroyed && told.bytes < END_BYTES) {
      told.bytes += chunk.length
      if (!response.write(chunk)) {
        await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
    }
    response.end('0000')
  }
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    response.on('error', () => undefined)
    void tell(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/one.git`, told }
}

suite('another server that lists references without end', () => {
  test('is not listened to any longer than there is memory for it', async (t) => {
    const { app, ann, bob } = await startMirrorHost(t)
    const { address, told } = await listenEndlessly(t)

    const answer = await app.post(bob, '/repos/migrate', { clone_addr: address, repo_name: 'x' })

    assertError(answer, 422, /memory/)
    assert.ok(told.bytes < END_BYTES, `${told.bytes} bytes were taken`)
    assertStatus(await app.get(bob, '/repos/bob/x'), 404)
    assertStatus(await app.get(ann, '/repos/ann/source'), 200)
  })
})
