import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { deflateSync, gzipSync } from 'node:zlib'
import { pktLine } from '../src/platform/git/pkt-line.ts'
import type { Crowd, Told } from './crowd-client.ts'
import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'

const MB = 1_000_000
/** Processes have so long to end once their clients have. */
const LIMIT_MS = 40_000
/** Looks of a plain client beside. */
const EVERY_MS = 50

/** Many who want the same at once, and what a plain request beside them takes. */
export async function crowdsBench(): Promise<void> {
  const codestead = await startCodestead({ isAdmin: true })
  try {
    const rows = []
    for (const load of await crowdsOf(codestead)) {
      rows.push(await watch(codestead, load))
      await pause(5_000)
    }
    printTable('what a plain request takes beside a crowd', rows)
  } finally {
    await codestead.stop()
  }
}

interface Load {
  readonly what: string
  /** So long it is looked at; then all of the crowd hangs up. */
  readonly limitMs: number
  readonly crowd: Crowd
}

async function watch({ url, memory }: Codestead, { what, limitMs, crowd }: Load) {
  const worker = new Worker(new URL('crowd-client.ts', import.meta.url), { workerData: crowd })
  const { promise, resolve } = Promise.withResolvers<Told>()
  worker.once('message', resolve)
  const began = performance.now()
  const took: number[] = []
  let processes = 0
  const over = new AbortController()
  void promise.then(() => over.abort())
  while (!over.signal.aborted && performance.now() - began < limitMs) {
    const asked = performance.now()
    const answer = await fetch(`${url}/api/v1/version`)
    await answer.arrayBuffer()
    took.push(performance.now() - asked)
    processes = Math.max(processes, countGit())
    await pause(EVERY_MS)
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  if (!over.signal.aborted) worker.postMessage('enough')
  const told = await promise
  const seconds = (performance.now() - began) / 1000
  await worker.terminate()
  const left = await untilIdle()
  took.sort((one, other) => one - other)
  return {
    crowd: what,
    answers: Object.entries(told.statuses)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', '),
    MB: (told.bytes / MB).toFixed(0),
    seconds: seconds.toFixed(1),
    'beside, median ms': (took[Math.floor(took.length / 2)] ?? 0).toFixed(1),
    'most ms': (took.at(-1) ?? 0).toFixed(0),
    'git at once': String(processes),
    'git gone after s': left,
    'memory MiB': memory().toFixed(0),
  }
}

async function crowdsOf(codestead: Codestead): Promise<readonly Load[]> {
  const { url, token } = codestead
  const headers = { authorization: `token ${token}` }
  const make = async (path: string, body: BodyInit, type?: string) => {
    const sent = { ...headers, ...(type === undefined ? {} : { 'content-type': type }) }
    const answer = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers: sent, body })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { readonly browser_download_url: string; readonly id: number }
  }
  await make('/user/repos', '{"name":"crowded","auto_init":true}', 'application/json')
  const { id } = await make('/repos/ann/crowded/releases', '{"tag_name":"v1"}', 'application/json')
  const form = new FormData()
  form.append('attachment', new Blob([Buffer.alloc(60 * MB, 'zip ')]), 'large.zip')
  const file = await make(`/repos/ann/crowded/releases/${id}/assets?name=large.zip`, form)
  const path = new URL(file.browser_download_url).pathname
  const download = (count: number) => ({
    what: `${count} downloads of 60 MB`,
    limitMs: 15_000,
    crowd: { url: url + path, count, method: 'GET', headers },
  })
  const push = {
    what: '150 pushes of 2,000 blobs of 10 MB of zeros',
    limitMs: 40_000,
    crowd: {
      url: `${url}/ann/crowded.git/git-receive-pack`,
      count: 150,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/x-git-receive-pack-request',
        'content-encoding': 'gzip',
      },
      body: bomb(2000, 10 * MB),
    },
  }
  return [download(300), download(900), push]
}

/** A push that is little on the wire, and a lot of work. */
function bomb(count: number, size: number): Uint8Array {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  const blob = Buffer.concat([objectHead(size), deflateSync(Buffer.alloc(size), { level: 9 })])
  const pack = Buffer.concat([head, ...Array<Buffer>(count).fill(blob)])
  const end = createHash('sha1').update(pack).digest()
  const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/new\0report-status side-band-64k`
  const body = Buffer.concat([Buffer.from(`${pktLine(command)}0000`), pack, end])
  return gzipSync(body)
}

/** Of a blob in a pack: its type, and its size in pieces of seven bits. */
function objectHead(size: number): Buffer {
  const bytes = [(3 << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes.map((byte, at) => (at < bytes.length - 1 ? byte | 128 : byte)))
}

async function untilIdle(): Promise<string> {
  const began = performance.now()
  while (countGit() > 0 && performance.now() - began < LIMIT_MS) await pause(100)
  return ((performance.now() - began) / 1000).toFixed(1)
}

/** Processes of git that take pushes apart. */
function countGit(): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => /unpack-objects|index-pack/.test(commandOf(pid))).length
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
