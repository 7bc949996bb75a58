// Sends the same request on many connections at once, in a thread of its own, and reads the answers
// as they come.
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface Crowd {
  readonly url: string
  readonly count: number
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface Told {
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
}

const { url, count, method, headers, body } = workerData as Crowd
const statuses: Record<string, number> = {}
let bytes = 0

const note = (status: string) => (statuses[status] = (statuses[status] ?? 0) + 1)
const sent = Array.from({ length: count }, async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = request(url, { method, headers, agent: false }, (answer) => {
    note(String(answer.statusCode))
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
    answer.on('error', () => undefined)
    answer.once('close', resolve)
  })
  asked.on('error', () => {
    note('broken')
    resolve()
  })
  asked.end(body)
  return promise
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const tell = () => parentPort?.postMessage({ statuses, bytes } satisfies Told)
parentPort?.once('message', () => {
  tell()
  process.exit(0)
})
void Promise.all(sent).then(tell)
