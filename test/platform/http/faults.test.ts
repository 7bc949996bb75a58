// One database is enough: what fails is not in it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { suite, test } from 'node:test'
import { startGitHost, type GitHost } from '../git/support.ts'
import { assertStatus } from '../../support/expect.ts'
import { failOnce } from '../../support/fault.ts'
import { startServerWith } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

/** All that is answered to these lines, until the connection is closed. */
async function talk({ app }: GitHost, lines: readonly string[]): Promise<string> {
  const { port } = app.server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(socket, 'close')
  return said
}

suite('a fault in what a connection calls', () => {
  const plain = ['GET /api/v1/version HTTP/1.1', 'host: x']
  const cases: Record<string, readonly string[]> = {
    connection: plain,
    request: plain,
    checkContinue: ['PUT /x HTTP/1.1', 'host: x', 'expect: 100-continue', 'content-length: 1'],
    checkExpectation: [...plain, 'expect: something'],
    clientError: ['what is this'],
    upgrade: [...plain, 'connection: upgrade', 'upgrade: websocket'],
    connect: ['CONNECT x:1 HTTP/1.1', 'host: x'],
  }

  for (const [event, lines] of Object.entries(cases)) {
    test(`for the event ${event} ends that connection, and nothing else`, async (t) => {
      const host = await startGitHost(t)
      host.app.server.server.prependOnceListener(event, () => {
        throw new Error('made to fail')
      })

      assert.doesNotMatch(await talk(host, lines), /^HTTP\/1.1 200/)

      assertStatus(await host.app.get(undefined, '/version'), 200)
      assert.equal((await fetch(host.url('api/v1/version'))).status, 200)
    })
  }

  test('when a refused body is not waited for any more ends that connection', async (t) => {
    const host = await startGitHost(t)
    const accepted = once(host.app.server.server, 'connection') as Promise<[Socket]>
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { port } = host.app.server.server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => undefined).resume()
    client.write('POST /api/v1/version HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n')
    const [socket] = await accepted
    await once(client, 'end')
    const fault = failOnce(t, socket, 'destroy')

    const closed = once(socket, 'close')
    t.mock.timers.tick(10_000)
    t.mock.timers.reset()

    await closed
    client.destroy()
    assert.equal(fault.hasHappened, true)
    assert.equal((await fetch(host.url('api/v1/version'))).status, 200)
  })
})

suite('a promise that nobody waits for', () => {
  test('fails without the server, and is in the log', async (t) => {
    const machine = await startMachine(t)
    const module = new URL('../../support/late-failure.ts', import.meta.url)
    const server = startServerWith(t, module, machine.environment)
    const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)

    server.child.kill('SIGUSR2')
    await until(() => server.out.includes('made to fail'))

    assert.equal((await fetch(`${url}/api/v1/version`)).status, 200)
  })
})
