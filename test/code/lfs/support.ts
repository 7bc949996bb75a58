import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { FastifyBaseLogger } from 'fastify'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { GitClient, GitHost } from '../../platform/git/support.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'

export const LFS_TYPE = 'application/vnd.git-lfs+json'

/** Why tests with the real git-lfs are left out here; CI installs it. */
export const skipWithoutGitLfs =
  spawnSync('git-lfs', ['version']).status === 0 ? false : 'git-lfs is not installed'

export async function findFreePort(): Promise<number> {
  const probe = createServer()
  const { promise, resolve } = Promise.withResolvers<void>()
  probe.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}

/** A server that can be reached at the address which it writes into links. */
export async function startLinkedHost(
  t: TestContext,
  changes: ConfigChanges = {},
  log?: FastifyBaseLogger,
): Promise<GitHost> {
  const port = await findFreePort()
  const address = `127.0.0.1:${port}`
  const settings = {
    lfs: { enabled: true },
    ...changes,
    server: { ...changes.server, url: `http://${address}` },
  }
  const app = await startApp(t, settings, log)
  await app.server.listen({ host: '127.0.0.1', port })
  return new GitHost(app, new GitClient(t), address)
}

/** A commit with a large file, which ann has still to push to her private repository `one`. */
export async function prepareLarge(host: GitHost) {
  const { app, client } = host
  const ann = await app.addCaller('ann')
  await app.post(ann, '/user/repos', { name: 'one', private: true })
  const work = await client.makeRepository()
  await client.git(['lfs', 'install'])
  await client.git(['lfs', 'track', '*.bin'], work)
  const bytes = Buffer.alloc(3_000_000, 'large ')
  writeFileSync(join(work, 'big.bin'), bytes)
  await client.commit(work, 'with a large file')
  return { ann, work, bytes, url: host.urlFor('ann', 'ann/one.git') }
}

export function oidOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

export function pointerTo(content: Buffer | string) {
  return { oid: oidOf(content), size: Buffer.byteLength(content) }
}

/** Calls the API of Git LFS of one repository as a client does. */
export class LfsCalls {
  readonly #app: TestApp
  readonly #root: string

  constructor(app: TestApp, path: string) {
    this.#app = app
    this.#root = `^/${path}/info/lfs`
  }

  post(who: TestCaller | undefined, path: string, body: unknown): Promise<TestAnswer> {
    const headers = { accept: LFS_TYPE, 'content-type': LFS_TYPE }
    return this.#app.post(who, `${this.#root}${path}`, JSON.stringify(body), headers)
  }

  get(who: TestCaller | undefined, path: string, headers = {}): Promise<TestAnswer> {
    return this.#app.get(who, `${this.#root}${path}`, { accept: LFS_TYPE, ...headers })
  }

  batch(
    who: TestCaller | undefined,
    operation: string,
    objects: readonly { oid: string; size: number }[],
    more: object = {},
  ): Promise<TestAnswer> {
    return this.post(who, '/objects/batch', { operation, objects, ...more })
  }

  put(
    who: TestCaller | undefined,
    { oid, size }: { oid: string; size: number | string },
    content: Buffer | string,
  ): Promise<TestAnswer> {
    return this.#app.put(who, `${this.#root}/objects/${oid}/${size}`, content)
  }
}
