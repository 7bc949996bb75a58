// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { suite, test } from 'node:test'
import { FORM, formBody } from '../../repositories/attachments/form.ts'
import { listen } from '../../repositories/attachments/listening.ts'
import type { TestApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const LENGTH = 5_000_000

type Headers = Readonly<Record<string, string | number>>

/**
 * The head of a request on a connection of its own, for clients that do not listen while they send.
 */
function begin({ server }: TestApp, line: string, headers: Headers): Socket {
  const { port } = server.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const fields = Object.entries({ host: 'x', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${line} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`)
  return socket
}

/** Everything is sent before anything is read. */
async function sendAll(socket: Socket, body: Buffer): Promise<string> {
  for (let at = 0; at < body.length; at += 65_536) {
    if (!socket.write(body.subarray(at, at + 65_536))) await once(socket, 'drain')
  }
  const answer = Buffer.concat(await socket.toArray()).toString()
  socket.destroy()
  return answer
}

suite('who sends on after the answer', () => {
  test('reads why it is refused, whatever of the body has been read', async (t) => {
    const { app, ann, bob, path, assets } = await listen(t, { release: { max_size: '1MiB' } })
    const form = formBody([{ name: 'attachment', filename: 'x', content: Buffer.alloc(LENGTH) }])
    const json = Buffer.from(JSON.stringify({ title: 'x'.repeat(LENGTH) }))
    const typed = { 'content-type': 'application/json' }
    const cases: [line: string, headers: Headers, body: Buffer, status: number][] = [
      [`POST /api/v1${assets}`, FORM, form, 401],
      [`POST /api/v1${assets}`, { ...bob.headers, ...FORM }, form, 403],
      [`POST /api/v1${assets}`, { ...ann.headers, ...FORM }, form, 500],
      [`POST /api/v1${path}/issues/9/assets`, { ...ann.headers, ...FORM }, form, 404],
      [`POST /api/v1${path}/issues`, { ...ann.headers, ...typed }, json, 413],
      ['POST /api/v1/version', {}, json, 405],
      ['PUT /nothing/here', {}, json, 404],
    ]

    for (const [line, headers, body, status] of cases) {
      const socket = begin(app, line, { ...headers, 'content-length': body.length })
      const answer = await sendAll(socket, body)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), line)
      assert.match(answer, /\r\nconnection: close\r\n/i, line)
    }
  })

  test('is not listened to for ever', async (t) => {
    const { app, assets } = await listen(t)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const socket = begin(app, `POST /api/v1${assets}`, { ...FORM, 'content-length': LENGTH })
    socket.on('error', () => undefined)
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    await once(socket, 'end')
    assert.match(answer, /^HTTP\/1.1 401 /)
    assert.equal(await connections(app), 1)

    t.mock.timers.tick(10_000)
    t.mock.timers.reset()

    await until(async () => (await connections(app)) === 0)
    socket.destroy()
  })
})

async function connections({ server }: TestApp): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  return promise
}
