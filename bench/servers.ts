import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { closeContext, openContext } from '../src/server/open-context.ts'
import { createToken } from '../src/identity/auth/tokens.ts'
import { configWith } from '../src/platform/config/config.ts'
import { createPerson } from '../src/identity/users/create.ts'

/** A server in a process of its own. */
export interface Running {
  readonly url: string
  /** From the start of the process to the first answer, in milliseconds. */
  readonly startMs: number
  /** Resident memory, in MiB. */
  readonly memory: () => number
  readonly stop: () => Promise<void>
}

export interface Codestead extends Running {
  readonly token: string
}

const loader = ['--import', './scripts/require-node.mjs']

function asNpmStart(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as Package
  const [, parameters = ''] = scripts.start.split('exec node ')
  return parameters.split(' ')
}

interface Package {
  readonly scripts: { readonly start: string }
}

export interface Wanted {
  readonly isAdmin?: boolean
  readonly settings?: Record<string, string>
}

/** Codestead as `npm start` runs it, with one account. */
export async function startCodestead({ isAdmin, settings }: Wanted = {}): Promise<Codestead> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const token = await prepare(data, isAdmin)
  const port = await freePort()
  const running = await start(asNpmStart(), port, '/api/v1/version', {
    CODESTEAD_DATA: data,
    CODESTEAD_SERVER_PORT: String(port),
    CODESTEAD_LOG_LEVEL: 'warn',
    ...settings,
  })
  const stop = async () => {
    await running.stop()
    rmSync(data, { recursive: true, force: true })
  }
  return { ...running, token, stop }
}

/** Codestead on a data folder and a database that are there already. */
export async function startOn(data: string, databaseUrl: string): Promise<Running> {
  const port = await freePort()
  return start(asNpmStart(), port, '/api/v1/version', {
    CODESTEAD_DATA: data,
    CODESTEAD_SERVER_PORT: String(port),
    CODESTEAD_DATABASE_URL: databaseUrl,
    CODESTEAD_LOG_LEVEL: 'warn',
  })
}

/** A bare Fastify route that sends `record`, and commits to `database` when it is patched. */
export async function startBare(record: unknown, database = ':memory:'): Promise<Running> {
  const port = await freePort()
  return start([...loader, 'bench/bare.ts'], port, '/record', {
    BARE_PORT: String(port),
    BARE_RECORD: JSON.stringify(record),
    BARE_DATABASE: database,
  })
}

/** Bare Fastify routes that take and give files. */
export async function startBareFiles(): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const port = await freePort()
  const running = await start([...loader, 'bench/bare-files.ts'], port, '/ready', {
    BARE_PORT: String(port),
    BARE_FOLDER: folder,
  })
  const stop = async () => {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...running, stop }
}

async function prepare(data: string, isAdmin = false): Promise<string> {
  const ctx = await openContext(configWith(data), pino({ level: 'silent' }))
  const ann = await createPerson(ctx, {
    name: 'ann',
    email: 'ann@example.org',
    password: 'password1',
    isAdmin,
  })
  const { secret } = await createToken(ctx, ann, { name: 'bench', scopes: ['all'] })
  await closeContext(ctx)
  return secret
}

async function start(
  parameters: readonly string[],
  port: number,
  probe: string,
  environment: Record<string, string>,
): Promise<Running> {
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, parameters, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(url + probe)
  const startMs = performance.now() - began
  return { url, startMs, memory: () => residentMiB(child), stop: () => end(child) }
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const answered = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (answered) return
    await delay(10)
  }
  throw new Error(`${url} does not answer`)
}

function residentMiB(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resolve(port))
  })
  return promise
}
