import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { GitClient, GitHost } from '../../platform/git/support.ts'
import { PASSWORD, startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of JSON. */
  // oxlint-disable-next-line no-explicit-any -- a test reads whatever it expects
  readonly body: any
}

export interface Receiver {
  readonly url: string
  readonly calls: Received[]
  /** Answers the next requests; afterwards all is well. */
  readonly answer: (...how: ((response: ServerResponse) => void)[]) => void
  /** Waits for so many requests. */
  readonly received: (count: number) => Promise<void>
}

/** A real receiver of webhooks. */
export async function startReceiver(t: TestContext): Promise<Receiver> {
  const calls: Received[] = []
  const answers: ((response: ServerResponse) => void)[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const isJson = /json/.test(request.headers['content-type'] ?? '')
    calls.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    })
    const answer = answers.shift()
    if (answer) answer(response)
    else response.end('thanks')
    server.emit('received')
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    answer: (...how) => void answers.push(...how),
    received: async (count) => {
      while (calls.length < count) await once(server, 'received')
    },
  }
}

export const failing =
  (code: number, text = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(code).end(text)

export interface Setup {
  readonly app: TestApp
  readonly ann: TestCaller
  readonly receiver: Receiver
  /** Adds a webhook to ann/one, or elsewhere, that hears of `events`. */
  readonly listen: (events: readonly string[], options?: object, path?: string) => Promise<number>
  /** Delivers all that is due; what has come since the last time, as event and action. */
  readonly heard: () => Promise<Received[]>
}

/** ann with the empty repository `one`, and somebody who listens. */
export async function start(t: TestContext, changes: ConfigChanges = {}): Promise<Setup> {
  const app = await startApp(t, { ...changes, network: { allow_private: true } })
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
  const receiver = await startReceiver(t)
  let seen = 0
  return {
    app,
    ann,
    receiver,
    listen: async (events, options = {}, path = '/repos/ann/one/hooks') => {
      const config = { url: receiver.url, content_type: 'json' }
      const hook = { type: 'gitea', active: true, config, events, ...options }
      const answer = await app.post(ann, path, hook)
      assertStatus(answer, 201)
      return answer.body.id as number
    },
    heard: async () => {
      await app.ctx.jobs.runDue()
      const news = receiver.calls.slice(seen)
      seen = receiver.calls.length
      return news
    },
  }
}

/** What came, as `event action`. */
export function summary(calls: readonly Received[]): string[] {
  return calls.map(({ headers, body }) =>
    `${String(headers['x-gitea-event-type'])} ${(body.action ?? body.ref) as string}`.trim(),
  )
}

export function assertKeys(value: object, keys: readonly string[]): void {
  assert.deepEqual(Object.keys(value), keys)
}

/** Like `start`, with a folder of somebody's own that is pushed from. */
export async function startPushing(t: TestContext, path = 'ann/one.git') {
  const setup = await start(t)
  const { app } = setup
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const client = new GitClient(t)
  const host = new GitHost(app, client, `127.0.0.1:${port}`)
  const work = await client.makeRepository()
  const address = host.url(path, `ann:${PASSWORD}`)
  return {
    ...setup,
    client,
    work,
    write: (file: string, text: string) => writeFileSync(join(work, file), text),
    push: (...refs: string[]) => client.git(['push', '--quiet', address, ...refs], work),
  }
}
