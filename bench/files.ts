import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startBareFiles, startCodestead, type Codestead, type Running } from './servers.ts'
import { printTable } from './table.ts'
import { median, timed } from './time.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const SMALL = 64 * 1024
const MIB = 1_048_576
/** Of the large file; 2048 for the promise about memory. */
const MEGABYTES = Number(process.env['BENCH_MEGABYTES'] ?? 256)
const ROUNDS = 3
const TURNS = 6
/**
 * Of small uploads to each target before any is counted: what has run for a while has been
 * compiled.
 */
const WARM_UP = 300

interface Target {
  readonly url: string
  readonly headers: Record<string, string>
}

interface Targets {
  readonly bare: Target
  readonly release: Target
  readonly issue: Target
}

/** Files in and out, beside routes that do no more than that. */
export async function filesBench(): Promise<void> {
  const codestead = await startCodestead()
  const bare = await startBareFiles()
  try {
    const targets = await prepare(codestead, bare)
    await benchSmall(targets)
    await benchLarge(targets, codestead)
  } finally {
    await codestead.stop()
    await bare.stop()
  }
}

async function prepare({ url, token }: Codestead, bare: Running): Promise<Targets> {
  const authorization = `token ${token}`
  const make = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: number; number: number }
  }
  await make('/user/repos', { name: 'one', auto_init: true })
  const { id } = await make('/repos/ann/one/releases', { tag_name: 'v1' })
  const { number } = await make('/repos/ann/one/issues', { title: 'files' })
  const root = `${url}/api/v1/repos/ann/one`
  return {
    bare: { url: `${bare.url}/files`, headers: {} },
    release: { url: `${root}/releases/${id}/assets?name=x`, headers: { authorization } },
    issue: {
      url: `${root}/issues/${number}/assets?name=x.txt`,
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=bench' },
    },
  }
}

/** Where, what, and how many a second in each turn. */
type Uploads = [target: Target, body: Buffer, figures: number[]]

const noise = randomBytes(SMALL)
const formHead =
  '--bench\r\nContent-Disposition: form-data; name="attachment"; filename="x"\r\n\r\n'
const form = Buffer.concat([Buffer.from(formHead), noise, Buffer.from('\r\n--bench--\r\n')])

async function benchSmall({ bare, release, issue }: Targets): Promise<void> {
  for (const [target, body] of [
    [bare, noise],
    [release, noise],
    [issue, form],
  ] as const) {
    for (let count = 0; count < WARM_UP;) count += await uploadFor(target, body, 8, 1)
  }
  for (const connections of [1, 8]) {
    const targets: [Uploads, Uploads, Uploads] = [
      [bare, noise, []],
      [release, noise, []],
      [issue, form, []],
    ]
    // Turn by turn and compared within each, so that what else the machine does meets all alike.
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [target, body, figures] of targets) {
        figures.push(await uploadFor(target, body, connections, SECONDS / TURNS))
      }
    }
    const [base] = targets
    const row = (work: string, [, , figures]: (typeof targets)[number], target = '') => ({
      work,
      'per second': Math.round(median(figures)),
      ratio: median(figures.map((figure, turn) => figure / (base[2][turn] ?? 0))).toFixed(2),
      target,
    })
    const [, ofRelease, ofIssue] = targets
    printTable(`uploads of 64 KiB, ${connections} at a time`, [
      row('bare route, synced file with sha256', base),
      row('release attachment', ofRelease, '>= 0.50'),
      row('issue attachment, a form', ofIssue, '>= 0.50'),
    ])
  }
}

async function benchLarge({ bare, release }: Targets, codestead: Codestead): Promise<void> {
  const block = randomBytes(MIB)
  const before = codestead.memory()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, codestead.memory())), 100)
  const bareIn: number[] = []
  const ownIn: number[] = []
  const bareOut: number[] = []
  const ownOut: number[] = []
  // Turn by turn, so that what else the machine does meets both alike.
  for (let round = 0; round < ROUNDS; round++) {
    let name = ''
    let uuid = ''
    bareIn.push(await timed(async () => (name = (await sendLarge(bare, block))['name'] ?? '')))
    ownIn.push(await timed(async () => (uuid = (await sendLarge(release, block))['uuid'] ?? '')))
    bareOut.push(await timed(() => readAll(`${bare.url}/${name}`)))
    ownOut.push(await timed(() => readAll(`${codestead.url}/attachments/${uuid}`)))
  }
  clearInterval(watch)
  const row = (work: string, ms: number, least: number, target: string) => ({
    work,
    'MiB per second': Math.round(MEGABYTES / (ms / 1000)),
    ratio: (least / ms).toFixed(2),
    target,
  })
  const [inLeast, outLeast] = [median(bareIn), median(bareOut)]
  printTable(`one file of ${MEGABYTES} MiB; memory grew by ${most - before} MiB (target < 50)`, [
    row('bare upload', inLeast, inLeast, ''),
    row('release attachment in', median(ownIn), inLeast, '>= 0.80'),
    row('bare download', outLeast, outLeast, ''),
    row('release attachment out', median(ownOut), outLeast, '>= 0.90'),
  ])
}

/** How many a second. */
async function uploadFor(
  target: Target,
  body: Buffer,
  connections: number,
  seconds: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = performance.now() + seconds * 1000
  let count = 0
  const work = async () => {
    while (performance.now() < end) {
      await send(target, Readable.from([body]), { agent, length: body.length })
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  return count / seconds
}

async function sendLarge(target: Target, block: Buffer): Promise<Record<string, string>> {
  function* blocks() {
    for (let sent = 0; sent < MEGABYTES; sent++) yield block
  }
  return send(target, Readable.from(blocks()), { length: MEGABYTES * MIB })
}

async function send(
  { url, headers }: Target,
  content: Readable,
  { agent, length }: { agent?: Agent; length: number },
): Promise<Record<string, string>> {
  const all = { 'content-type': 'application/octet-stream', ...headers, 'content-length': length }
  const sent = request(url, { method: 'POST', headers: all, ...(agent ? { agent } : {}) })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  await pipeline(content, sent)
  const [answer] = await answered
  const text = Buffer.concat(await answer.toArray()).toString()
  if (answer.statusCode !== 201) throw new Error(`${url}: ${answer.statusCode} ${text}`)
  return JSON.parse(text) as Record<string, string>
}

async function readAll(url: string): Promise<void> {
  const sent = request(url).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let size = 0
  answer.on('data', (chunk: Buffer) => (size += chunk.length))
  await once(answer, 'end')
  if (size !== MEGABYTES * MIB) throw new Error(`${url} gave ${size} bytes`)
}
