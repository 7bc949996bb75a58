import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Headers, TestApp } from '../../support/app.ts'

/** Longer than what the server takes for the time of the network. */
const LATE_MS = 200

export interface Late {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  /** Each character is a byte. */
  readonly body: string
}

export type Begin = (late: Late) => Promise<() => Promise<{ status?: number; text: string }>>

/**
 * For requests whose head and first bytes the server has got, and whose rest comes when the last
 * function is called.
 */
export async function listenForLate({ server }: TestApp): Promise<Begin> {
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return async ({ method, path, headers, body }) => {
    const seen = once(server.server, 'request')
    const bytes = Buffer.from(body, 'latin1')
    const length = { 'content-length': bytes.length }
    const sent = request({ port, method, path, headers: { ...headers, ...length } })
    sent.write(bytes.subarray(0, 5))
    await untilRead(...((await seen) as [IncomingMessage, ServerResponse]))
    await delay(LATE_MS)
    return () => finish(sent, bytes.subarray(5))
  }
}

/** The server looks at who sends it first, and takes the time only from then on. */
async function untilRead(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const isRead = () => incoming.listenerCount('data') + incoming.listenerCount('readable') > 0
  while (!isRead() && !outgoing.writableEnded) await nextTurn()
}

async function finish(sent: ClientRequest, rest: Buffer) {
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.end(rest)
  const [answer] = await answered
  return { status: answer.statusCode ?? 0, text: await readText(answer) }
}
