import http from 'node:http'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startGitHost, type GitHost } from '../../platform/git/support.ts'
import { pointerTo } from '../lfs/support.ts'
import type { TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

/** A server that may reach itself, with a repository of ann's on it that has one commit. */
export async function startMirrorHost(t: TestContext, changes: ConfigChanges = {}) {
  const host = await startGitHost(t, { network: { allow_private: true }, ...changes })
  const { app } = host
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  const made = await app.post(ann, '/user/repos', { name: 'source', auto_init: true })
  assertStatus(made, 201)
  return { host, app, ann, bob, address: host.url('ann/source.git') }
}

/** A commit on a branch, which is made when it is new. */
export async function addFile(
  app: TestApp,
  who: TestCaller,
  path: string,
  options: object = {},
): Promise<void> {
  const content = Buffer.from('content\n').toString('base64')
  assertStatus(await app.post(who, path, { content, ...options }), 201)
}

/** The references of a repository on the server. */
export async function refsOf(host: GitHost, path: string): Promise<string[]> {
  const folder = await host.folderOf(path)
  const refs = await host.client.git(['--git-dir', folder, 'for-each-ref', '--format=%(refname)'])
  return refs === '' ? [] : refs.split('\n')
}

/** The directories of repositories, also of such that have no row. */
export function foldersOf({ ctx }: TestApp): number {
  const root = join(ctx.config.data, 'repositories')
  return existsSync(root) ? globSync('*/*.git', { cwd: root }).length : 0
}

/** The command lines of all processes of the machine. */
export function listCommands(): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8').replaceAll('\0', ' ')]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

/** A server that takes connections and never says a word. */
export async function listenSilently(t: TestContext) {
  const sockets: Socket[] = []
  const { promise: reached, resolve: onReached } = Promise.withResolvers<void>()
  const { promise: left, resolve: onLeft } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => onLeft())
    socket.resume()
    onReached()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/x.git`, port, sockets, reached, left }
}

/** A server that never comes to an end, and is too quick to be given up. */
export async function listenForever(t: TestContext) {
  const { promise: reached, resolve: onReached } = Promise.withResolvers<void>()
  const { promise: left, resolve: onLeft } = Promise.withResolvers<void>()
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    const talk = setInterval(() => response.write('#'.repeat(2000)), 100)
    request.socket.once('close', () => {
      clearInterval(talk)
      onLeft()
    })
    onReached()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/x.git`, reached, left }
}

/** A server that sends everybody elsewhere. */
export async function listenAndRedirect(t: TestContext, target: string): Promise<string> {
  const server = http.createServer((request, response) => {
    const location = target + (request.url ?? '').replace('/x.git', '')
    response.writeHead(302, { location }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
}

/** A server that passes everything on to `target`, after `before`. */
export async function listenAndPassOn(
  t: TestContext,
  target: string,
  before: (path: string) => Promise<void>,
): Promise<string> {
  const server = http.createServer((request, response) => {
    const { url: path = '', method, headers } = request
    void before(path).then(() => {
      const onward = http.request(new URL(path, target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const pointerText = (bytes: string) => {
  const { oid, size } = pointerTo(bytes)
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
}

/** A commit to ann/source of a file that points at these bytes. */
export async function addPointer(app: TestApp, who: TestCaller, bytes: string): Promise<void> {
  const content = Buffer.from(pointerText(bytes)).toString('base64')
  const path = `/repos/ann/source/contents/${pointerTo(bytes).oid}.bin`
  assertStatus(await app.post(who, path, { content }), 201)
}

/** Like `startMirrorHost`, with bob/copy, which mirrors the repository. */
export async function startWithMirror(
  t: TestContext,
  options: object = {},
  changes: ConfigChanges = {},
) {
  const started = await startMirrorHost(t, changes)
  const { app, bob, address } = started
  const body = { clone_addr: address, repo_name: 'copy', mirror: true, ...options }
  assertStatus(await app.post(bob, '/repos/migrate', body), 201)
  await app.ctx.jobs.runDue()
  const sync = async () => {
    assertStatus(await app.post(bob, '/repos/bob/copy/mirror-sync'), 200)
    await app.ctx.jobs.runDue()
  }
  const read = async () => (await app.get(bob, '/repos/bob/copy')).body
  return { ...started, sync, read }
}

export async function feedOf(app: TestApp, path: string): Promise<string[]> {
  const { body } = await app.get(undefined, `/repos/${path}/activities/feeds`)
  return (body as { op_type: string; ref_name: string }[]).map(
    ({ op_type, ref_name }) => `${op_type} ${ref_name}`,
  )
}

export async function mirrorRow({ ctx }: TestApp) {
  return ctx.db.selectFrom('mirror').selectAll().executeTakeFirstOrThrow()
}
