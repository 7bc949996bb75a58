import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConfigChanges } from '../../src/platform/config/config.ts'

type StorageSettings = NonNullable<ConfigChanges['storage']>

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
const program = join(cache, 'codestead-ci', 'bin', 'versitygw')
const given = process.env['CODESTEAD_TEST_S3_ENDPOINT']

/** Why there is no S3 server to test with; `false` when there is one. */
export const noS3: string | false =
  given !== undefined || existsSync(program)
    ? false
    : 'no S3 server: run .ci/s3 where Go is, or name one by CODESTEAD_TEST_S3_*'

/** Why there is no S3 server that tests may stop; `false` when there is one. */
export const noOwnS3: string | false = existsSync(program) ? false : 'no S3 server of our own'

export interface S3Server {
  readonly storage: StorageSettings
  /** Where it keeps the files, and what is not finished. */
  readonly folder: string
  readonly stop: () => Promise<void>
  /** On the same files. */
  readonly startAgain: () => Promise<void>
}

/** An empty bucket of a real server: the one that the environment names, or one of our own. */
export async function startS3(t: TestContext): Promise<StorageSettings> {
  return given === undefined ? (await startOwnS3(t)).storage : namedServer(given)
}

export async function startOwnS3(t: TestContext): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-s3-'))
  mkdirSync(join(folder, 'files'))
  const port = await freePort()
  const keys = ['--access', 'access', '--secret', 'secret-of-the-test']
  const parameters = [...keys, '--port', `127.0.0.1:${port}`, 'posix', folder]
  let stop = async () => undefined as void
  const start = async () => {
    const child = spawn(program, parameters, { stdio: 'ignore' })
    const exit = once(child, 'exit')
    stop = async () => {
      child.kill('SIGKILL')
      await exit
    }
    await listening(port)
  }
  t.after(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  const storage = {
    kind: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'files',
    access_key: 'access',
    secret_key: 'secret-of-the-test',
    path_style: true,
  } as const
  return { storage, folder, stop: () => stop(), startAgain: start }
}

function namedServer(endpoint: string): StorageSettings {
  const read = (name: string) => process.env[`CODESTEAD_TEST_S3_${name}`] ?? ''
  return {
    kind: 's3',
    endpoint,
    bucket: read('BUCKET'),
    access_key: read('ACCESS_KEY'),
    secret_key: read('SECRET_KEY'),
    path_style: true,
    prefix: `test-${process.pid}-${Date.now()}/`,
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await pause(50)
  }
  throw new Error('the S3 server does not answer')
}
