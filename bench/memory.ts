import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 240_000)
const STEPS = 6
const CONNECTIONS = 16
const REPOSITORIES = 200
const IDLE_MS = 60_000

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** What resident memory and the heap become while the server is asked for all kinds of things. */
export async function memoryBench(): Promise<void> {
  const codestead = await startCodestead({ isAdmin: true })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const send = (sent: Sent) => ask(codestead, agent, sent)
  const rows: Record<string, string>[] = []
  let worked = 0
  const row = async (requests: number, perSecond: number) => {
    const { heap, kept, cpu } = await figuresOf(codestead)
    rows.push({
      requests: String(requests),
      'requests/s': perSecond.toFixed(0),
      'CPU s': (cpu - worked).toFixed(1),
      'resident MiB': String(codestead.memory()),
      'heap MiB': heap,
      'caches MiB': kept,
    })
    worked = cpu
  }
  try {
    await prepare(send)
    await row(0, 0)
    const each = REQUESTS / STEPS
    for (let step = 0; step < STEPS; step++) {
      const began = performance.now()
      await load(send, step * each, each)
      await row((step + 1) * each, (each / (performance.now() - began)) * 1000)
    }
    await pause(IDLE_MS)
    await row(REQUESTS, 0)
    printTable('memory over mixed requests; the last row is a minute later', rows)
  } finally {
    agent.destroy()
    await codestead.stop()
  }
}

async function prepare(send: (sent: Sent) => Promise<number>): Promise<void> {
  for (let at = 0; at < REPOSITORIES; at++) {
    const body = { name: `r${at}`, description: `number ${at}`, auto_init: true, readme: 'Default' }
    await made(send, '/api/v1/user/repos', body)
    const text = 'a line of the file\n'.repeat(50)
    const content = Buffer.from(text + at).toString('base64')
    await made(send, `/api/v1/repos/ann/r${at}/contents/src/a.ts`, { content, message: 'a' })
    await made(send, `/api/v1/repos/ann/r${at}/issues`, { title: 'first', body: `**${text}**` })
  }
}

async function made(send: (sent: Sent) => Promise<number>, path: string, body: object) {
  const status = await send({ method: 'POST', path, body })
  if (status !== 201) throw new Error(`POST ${path}: ${status}`)
}

const kinds: readonly ((repo: string, at: number) => Sent)[] = [
  (repo) => ({ method: 'GET', path: `/api/v1/repos/ann/${repo}` }),
  (_repo, at) => ({ method: 'GET', path: `/api/v1/repos/search?q=r${at % 50}` }),
  (repo) => ({ method: 'GET', path: `/api/v1/repos/ann/${repo}/issues?state=all` }),
  (repo) => ({ method: 'GET', path: `/api/v1/repos/ann/${repo}/contents/src/a.ts` }),
  (repo) => ({ method: 'GET', path: `/api/v1/repos/ann/${repo}/commits` }),
  (repo) => ({ method: 'GET', path: `/api/v1/repos/ann/${repo}/git/trees/main?recursive=true` }),
  (repo, at) => ({
    method: 'PATCH',
    path: `/api/v1/repos/ann/${repo}`,
    body: { description: `changed ${at}` },
  }),
  (repo, at) => ({
    method: 'POST',
    path: `/api/v1/repos/ann/${repo}/issues`,
    body: { title: `issue ${at}`, body: 'See #1 and **this**.\n'.repeat(20) },
  }),
  (repo) => ({ method: 'GET', path: `/ann/${repo}` }),
  (repo) => ({ method: 'GET', path: `/ann/${repo}/issues` }),
  (repo) => ({ method: 'GET', path: `/ann/${repo}/issues/1` }),
  (repo) => ({ method: 'GET', path: `/ann/${repo}/src/branch/main/src/a.ts` }),
  (repo) => ({ method: 'GET', path: `/ann/${repo}/raw/branch/main/src/a.ts` }),
  () => ({ method: 'GET', path: '/api/v1/user' }),
  () => ({ method: 'GET', path: '/explore/repos' }),
  (repo) => ({ method: 'GET', path: `/ann/${repo}.git/info/refs?service=git-upload-pack` }),
]

async function load(send: (sent: Sent) => Promise<number>, from: number, count: number) {
  let next = from
  const visit = async () => {
    while (next < from + count) {
      const at = next++
      const kind = kinds[at % kinds.length]
      // Another repository for each kind each time.
      if (kind) await send(kind(`r${Math.floor(at / kinds.length + at) % REPOSITORIES}`, at))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, visit))
}

async function ask({ url, token }: Codestead, agent: Agent, { method, path, body }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  request(url + path, { method, headers, agent }, (answer) => {
    answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', reject)
    answer.resume()
  })
    .on('error', reject)
    .end(body && JSON.stringify(body))
  return promise
}

interface Figures {
  readonly heap: string
  /** What caches keep in the heap. */
  readonly kept: string
  /** Seconds that the process has worked. */
  readonly cpu: number
}

async function figuresOf({ url }: Codestead): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (name: string) => {
    const lines = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+]+)$`, 'gm'))
    return [...lines].reduce((all, [, value]) => all + Number(value), 0)
  }
  const mebibytes = (name: string) => (sum(name) / 2 ** 20).toFixed(0)
  return {
    heap: mebibytes('nodejs_heap_size_used_bytes'),
    kept: mebibytes('codestead_cache_bytes'),
    cpu: sum('process_cpu_seconds_total'),
  }
}
