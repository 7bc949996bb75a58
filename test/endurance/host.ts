import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { json } from 'node:stream/consumers'
import { findFreePort } from '../code/lfs/support.ts'
import { makeEmptyDatabase } from '../support/databases.ts'
import { startServer, type Running } from '../support/process.ts'
import { Machine } from '../support/terminal.ts'

/** A call may take as long as git takes that waits for a full disk. */
const PATIENCE_MS = 60_000

export interface Answer {
  readonly status: number
  readonly body: Buffer
}

interface Disk {
  readonly machine: Machine
  readonly isDisk: boolean
}

/** A server that is killed and started again on one disk, which may be full. */
export class Host {
  readonly machine: Machine
  readonly url: string
  readonly sshUrl: string
  readonly token: string
  readonly #t: TestContext
  readonly #isDisk: boolean
  #server: Running | undefined

  constructor(
    t: TestContext,
    { machine, isDisk }: Disk,
    token: string,
    ports: readonly [number, number],
  ) {
    this.machine = machine
    this.#isDisk = isDisk
    this.token = token
    this.url = `http://127.0.0.1:${ports[0]}`
    this.sshUrl = `ssh://git@127.0.0.1:${ports[1]}`
    this.#t = t
  }

  async start(): Promise<void> {
    this.#server = startServer(this.#t, this.machine.environment)
    await this.#server.says(/ is at http/)
  }

  async kill(): Promise<void> {
    this.#server?.child.kill('SIGKILL')
    await this.#server?.end()
  }

  /** Where the data lies on a disk of its own. */
  fillDisk(): void {
    if (!this.#isDisk) return
    const file = openSync(this.#ballast, 'w')
    for (const size of [1024 * 1024, 4096, 1]) {
      try {
        const chunk = Buffer.alloc(size)
        for (;;) writeSync(file, chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
    closeSync(file)
  }

  freeDisk(): void {
    rmSync(this.#ballast, { force: true })
  }

  get #ballast(): string {
    return join(this.machine.data, 'ballast')
  }

  get pid(): number {
    return this.#server?.child.pid ?? 0
  }

  async call(method: string, path: string, body?: object | Buffer, type?: string): Promise<Answer> {
    const isRaw = Buffer.isBuffer(body)
    const answer = await fetch(this.url + path, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        authorization: `token ${this.token}`,
        'content-type': type ?? (isRaw ? 'application/octet-stream' : 'application/json'),
      },
      ...(body ? { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
  }

  async read(path: string): Promise<Answer> {
    return this.call('GET', path)
  }
}

/** Its data has a disk of so many MiB, where the tests may mount one: for that they run as root. */
export async function startHost(t: TestContext, mebibytes: number): Promise<Host> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-machine-'))
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'tmpfs', data]
  const isDisk = process.getuid?.() === 0 && spawnSync('mount', options).status === 0
  const database = await makeEmptyDatabase()
  t.after(async () => {
    await database.remove()
    if (isDisk) spawnSync('umount', ['-l', data])
    rmSync(data, { recursive: true, force: true })
  })
  const ports = [await findFreePort(), await findFreePort()] as const
  const machine = new Machine(data, database.url, {
    CODESTEAD_SERVER_PORT: String(ports[0]),
    CODESTEAD_SSH_ENABLED: 'true',
    CODESTEAD_SSH_PORT: String(ports[1]),
    CODESTEAD_LFS_ENABLED: 'true',
    CODESTEAD_NETWORK_ALLOW_PRIVATE: 'true',
    CODESTEAD_LOG_LEVEL: 'silent',
  })
  const words = '--name ann --email ann@example.org --password password1 --access-token t'
  const { lastLine } = await machine.admin(['user', 'create', '--admin', ...words.split(' ')])
  const host = new Host(t, { machine, isDisk }, lastLine, ports)
  await host.start()
  return host
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Numbers of the issues that webhooks told of. */
export async function startReceiver(t: TestContext): Promise<[url: string, Set<number>]> {
  const told = new Set<number>()
  const take = async (request: IncomingMessage, answer: ServerResponse) => {
    const { issue } = (await json(request)) as { readonly issue?: { readonly number: number } }
    if (issue) told.add(issue.number)
    answer.end()
  }
  const server = createServer((request, answer) => {
    // A server that is killed leaves half a body: it sends it again.
    take(request, answer).catch(() => answer.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told]
}

/** Whether git did it. */
export async function git(
  folder: string,
  ...words: readonly string[]
): Promise<string | undefined> {
  const child = spawn('git', ['-C', folder, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: `ssh -F /dev/null -i ${folder}.key -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null`,
    },
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0 ? out.trim() : undefined
}
