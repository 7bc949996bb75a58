// One database is enough: connections to it are kept, whatever comes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { FORM, formBody } from '../../repositories/attachments/form.ts'
import { GitClient } from '../git/support.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const OCTETS = { 'content-type': 'application/octet-stream' }
const FETCH = { 'content-type': 'application/x-git-upload-pack-request' }
const PUSH = { 'content-type': 'application/x-git-receive-pack-request' }
const ROUNDS = 4
const one = '/api/v1/repos/ann/one'

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: object
  readonly body?: Buffer | string
}

/** What a server holds of its machine. */
interface Held {
  readonly descriptors: number
  readonly processes: number
  readonly files: number
}

/** A server in a process of its own, and a client that keeps no connection. */
class Watched {
  readonly url: string
  readonly #folders: readonly string[]
  readonly #pid: number
  readonly #token: string

  constructor(url: string, pid: number, token: string, folders: readonly string[]) {
    this.url = url
    this.#pid = pid
    this.#token = token
    this.#folders = folders
  }

  #open({ method, path, headers }: Sent, more: object = {}) {
    const sent = request(this.url + path, {
      method,
      agent: false,
      headers: { authorization: `token ${this.#token}`, ...headers, ...more },
    })
    sent.on('error', () => undefined)
    return sent
  }

  async send(sent: Sent): Promise<{ status: number; body: Buffer }> {
    const open = this.#open(sent).end(sent.body)
    const [answer] = (await once(open, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, body: await buffer(answer) }
  }

  async json(method: string, path: string, body?: object): Promise<Record<string, number>> {
    const text = body ? { headers: JSON_TYPE, body: JSON.stringify(body) } : {}
    const answer = await this.send({ method, path, ...text })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.body.toString()}`)
    return answer.body.length > 0
      ? (JSON.parse(answer.body.toString()) as Record<string, number>)
      : {}
  }

  /** Sends half of the body, and is gone. */
  async leaveWhileSending(sent: Sent & { readonly body: Buffer }): Promise<void> {
    const open = this.#open(sent, { 'content-length': sent.body.length })
    const half = sent.body.subarray(0, sent.body.length >> 1)
    await new Promise((resolve) => open.write(half, resolve))
    await leave(open)
  }

  /** Takes the beginning of the answer, and is gone. */
  async leaveWhileTaking(sent: Sent): Promise<void> {
    const open = this.#open(sent).end(sent.body)
    const [answer] = (await once(open, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 200, sent.path)
    answer.on('error', () => undefined)
    await once(answer, 'data')
    await leave(open)
  }

  held(): Held {
    const entries = this.#folders.flatMap((cwd) => globSync('**/*', { cwd, withFileTypes: true }))
    return {
      descriptors: this.#descriptors(),
      processes: descendantsOf(this.#pid),
      files: entries.filter((entry) => entry.isFile()).length,
    }
  }

  /** But for folders: some of those that files lie in stay open. */
  #descriptors(): number {
    const folder = `/proc/${this.#pid}/fd`
    return readdirSync(folder).filter((name) => !isFolder(join(folder, name))).length
  }
}

async function leave(open: ClientRequest): Promise<void> {
  const closed = new Promise((resolve) => open.once('close', resolve))
  open.destroy()
  await closed
}

/** It may be closed in this moment. */
function isFolder(descriptor: string): boolean {
  return statSync(descriptor, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function descendantsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const known = children.filter(Boolean).map(Number)
  return known.reduce((sum, child) => sum + 1 + descendantsOrNone(child), 0)
}

/** It may end in this moment. */
function descendantsOrNone(pid: number): number {
  try {
    return descendantsOf(pid)
  } catch {
    return 0
  }
}

async function startWatched(t: TestContext): Promise<{ server: Watched; client: GitClient }> {
  const machine = await startMachine(t)
  const words = '--name ann --email ann@example.org --password password1 --access-token t'
  const { lastLine: token } = await machine.admin([
    'user',
    'create',
    '--admin',
    ...words.split(' '),
  ])
  const temporary = join(machine.data, 'temporary')
  mkdirSync(temporary)
  const running = startServer(t, {
    ...machine.environment,
    TMPDIR: temporary,
    CODESTEAD_LFS_ENABLED: 'true',
    CODESTEAD_LOG_LEVEL: 'silent',
  })
  const [, url = ''] = await running.says(/ is at (http:\S+)/)
  const folders = ['files', 'repositories', 'temporary'].map((name) => join(machine.data, name))
  return {
    server: new Watched(url, running.child.pid ?? 0, token, folders),
    client: new GitClient(t),
  }
}

/** Whatever people do, and how they break it off; what it makes, it also removes. */
async function work(server: Watched, client: GitClient, pushed: Buffer): Promise<void> {
  const bytes = randomBytes(600_000)
  const { id } = await server.json('POST', `${one}/releases`, { tag_name: 'v1' })
  await leaveUploads(server, `${one}/releases/${id}/assets`, bytes)
  const push = { method: 'POST', path: '/ann/one.git/git-receive-pack', headers: PUSH }
  await server.leaveWhileSending({ ...push, body: pushed })
  await leaveDownloads(server, client)
  await client.git(['clone', '--quiet', `${server.url}/ann/one`, `clone-${id}-${Date.now()}`])
  for (const path of ['repos/ann/none', 'repos/search?q=one', 'repos/ann/one/commits', 'nowhere']) {
    await server.send({ method: 'GET', path: `/api/v1/${path}` })
  }
  await server.json('POST', '/api/v1/user/repos', { name: 'passing', auto_init: true })
  await server.json('DELETE', '/api/v1/repos/ann/passing')
  await server.json('DELETE', `${one}/releases/${id}`)
}

async function leaveUploads(server: Watched, assets: string, bytes: Buffer): Promise<void> {
  const asset = { method: 'POST', path: `${assets}?name=a`, headers: OCTETS, body: bytes }
  const file = JSON.parse((await server.send(asset)).body.toString()) as { uuid: string }
  await server.leaveWhileTaking({ method: 'GET', path: `/attachments/${file.uuid}` })
  await server.leaveWhileSending(asset)

  const form = formBody([{ name: 'attachment', filename: 'a.txt', content: bytes }])
  const toIssue = { method: 'POST', path: `${one}/issues/1/assets`, headers: FORM, body: form }
  await server.leaveWhileSending(toIssue)
  await server.send({ ...toIssue, body: form.subarray(0, 1000) })

  const lfs = `/ann/one.git/info/lfs/objects/${'0'.repeat(64)}/${bytes.length}`
  const wrong = { method: 'PUT', path: lfs, headers: OCTETS, body: bytes }
  await server.leaveWhileSending(wrong)
  await server.send(wrong)

  const body = Buffer.from(JSON.stringify({ content: bytes.toString('base64') }))
  const commit = { method: 'POST', path: `${one}/contents/x`, headers: JSON_TYPE, body }
  await server.leaveWhileSending(commit)
}

async function leaveDownloads(server: Watched, client: GitClient): Promise<void> {
  for (const path of [`${one}/archive/main.zip`, `${one}/raw/large`, '/ann/one']) {
    await server.leaveWhileTaking({ method: 'GET', path })
  }
  const tip = await client.git(['ls-remote', `${server.url}/ann/one`, 'refs/heads/main'])
  const body = `${pktLine(`want ${tip.slice(0, 40)} side-band-64k\n`)}0000${pktLine('done\n')}`
  const fetched = { method: 'POST', path: '/ann/one.git/git-upload-pack', headers: FETCH, body }
  await server.leaveWhileTaking(fetched)
}

/** A push of some megabytes, ready to be sent by hand. */
async function fill(server: Watched): Promise<Buffer> {
  await server.json('POST', '/api/v1/user/repos', { name: 'one', auto_init: true })
  await server.json('POST', `${one}/issues`, { title: 'x' })
  const content = randomBytes(3_000_000)
  await server.json('POST', `${one}/contents/large`, { content: content.toString('base64') })
  // An archive that is asked for again is kept, which is no leak.
  const archive = { method: 'GET', path: `${one}/archive/main.zip` }
  for (let asked = 0; asked < 2; asked++) await server.leaveWhileTaking(archive)
  return Buffer.concat([Buffer.from('00a0'), content])
}

/** Waits for what happens in another process; a test that waits too long fails by its assertion. */
async function heldOnce(server: Watched, isQuiet: (held: Held) => boolean): Promise<Held> {
  let now = server.held()
  for (let tries = 0; tries < 600 && !isQuiet(now); tries++) {
    await delay(100)
    now = server.held()
  }
  return now
}

function isWithin(now: Held, before: Held): boolean {
  return (
    now.descriptors <= before.descriptors &&
    now.processes <= before.processes &&
    now.files <= before.files
  )
}

suite('whatever people do and break off', () => {
  test('leaves no descriptor, process or file behind', async (t) => {
    const { server, client } = await startWatched(t)
    const pushed = await fill(server)
    await work(server, client, pushed)
    // What reads for the next request goes when none comes; what starts git stays.
    const before = await heldOnce(server, ({ processes }) => processes === 1)

    for (let round = 0; round < ROUNDS; round++) await work(server, client, pushed)

    const after = await heldOnce(server, (now) => isWithin(now, before))
    assert.ok(isWithin(after, before), `${JSON.stringify(before)} became ${JSON.stringify(after)}`)
  })
})
