import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { FastifyBaseLogger } from 'fastify'
import ssh2, { type Client, type ClientChannel } from 'ssh2'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import type { GitHost, Ran } from '../../platform/git/support.ts'
import { findFreePort, startLinkedHost } from '../../code/lfs/support.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export const skipWithoutSsh =
  spawnSync('ssh', ['-V']).status === 0 && spawnSync('ssh-keygen', ['-?']).error === undefined
    ? false
    : 'OpenSSH is not installed'

/** The client with this key, and with nothing of whoever runs it. */
export function sshWith(key: string): readonly string[] {
  const settings = {
    IdentitiesOnly: 'yes',
    BatchMode: 'yes',
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return ['ssh', '-F', '/dev/null', ...options, '-i', key]
}

/** A server with a door for SSH, and somebody's machine with keys. */
export class SshHost {
  readonly host: GitHost
  readonly ann: TestCaller
  readonly port: number

  constructor(host: GitHost, ann: TestCaller, port: number) {
    this.host = host
    this.ann = ann
    this.port = port
  }

  url(path: string): string {
    return `ssh://git@127.0.0.1:${this.port}/${path}`
  }

  /** A new key; gives its public line. */
  makeKey(name: string, type = 'ed25519'): string {
    const file = join(this.host.client.home, name)
    spawnSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', file])
    return readFileSync(`${file}.pub`, 'utf8').trim()
  }

  /** From now on git shows this key. */
  async use(name: string): Promise<void> {
    await this.host.client.git(['config', '--global', 'core.sshCommand', this.#ssh(name).join(' ')])
  }

  run(name: string, ...words: readonly string[]): Promise<Ran> {
    return this.runAs('git', name, ...words)
  }

  start(user: string, name: string, ...words: readonly string[]): ChildProcessWithoutNullStreams {
    const [program = '', ...options] = this.#ssh(name)
    const where = ['-p', String(this.port), `${user}@127.0.0.1`]
    return spawn(program, [...options, ...where, ...words], { stdio: 'pipe' })
  }

  async runAs(user: string, name: string, ...words: readonly string[]): Promise<Ran> {
    const child = this.start(user, name, ...words)
    child.stdin.end()
    let out = ''
    let notes = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    return { code, out, notes }
  }

  #ssh(name: string): readonly string[] {
    return sshWith(join(this.host.client.home, name))
  }
}

export async function startSsh(
  t: TestContext,
  changes: ConfigChanges = {},
  log?: FastifyBaseLogger,
): Promise<SshHost> {
  const port = await findFreePort()
  const ssh = { enabled: true, port, listen_host: '127.0.0.1', ...changes.ssh }
  const host = await startLinkedHost(t, { ...changes, ssh }, log)
  await host.app.listenSsh()
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one', private: true })
  const made = new SshHost(host, ann, port)
  const key = { title: 'laptop', key: made.makeKey('ann') }
  assertStatus(await host.app.post(ann, '/user/keys', key), 201)
  await made.use('ann')
  return made
}

/** A client of a library, with which more can be done than with the program. */
export async function connectAs(
  t: TestContext,
  { host, port }: SshHost,
  key = 'ann',
): Promise<Client> {
  const client = new ssh2.Client()
  client.on('error', () => undefined)
  t.after(() => client.destroy())
  const privateKey = readFileSync(join(host.client.home, key))
  client.connect({ host: '127.0.0.1', port, username: 'git', privateKey })
  await once(client, 'ready')
  return client
}

export async function execute(client: Client, command: string): Promise<ClientChannel> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>()
  client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)))
  return promise
}

export async function fetchNothing(client: Client): Promise<void> {
  const channel = await execute(client, "git-upload-pack '/ann/one.git'")
  channel.end('0000')
  await once(channel.resume(), 'close')
  client.end()
}
