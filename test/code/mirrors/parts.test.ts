import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { wikiFolder } from '../../../src/platform/git/layout.ts'
import type { GitHost } from '../../platform/git/support.ts'
import { LfsCalls, LFS_TYPE, pointerTo, startLinkedHost } from '../lfs/support.ts'
import { basic, PASSWORD, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addPointer, foldersOf } from './support.ts'

const refs = 'info/refs?service=git-upload-pack'

/** Another server, with a private repository of ann's that has a wiki and a large file. */
async function startRemote(t: TestContext) {
  const remote = await startLinkedHost(t)
  const ann = await remote.app.addCaller('ann')
  const made = { name: 'source', private: true, auto_init: true }
  assertStatus(await remote.app.post(ann, '/user/repos', made), 201)
  const objects = new LfsCalls(remote.app, 'ann/source')
  const upload = async (bytes: string) =>
    assertStatus(await objects.put(ann, pointerTo(bytes), bytes), 200)
  await addPointer(remote.app, ann, 'one')
  await upload('one')
  const work = await remote.client.makeRepository('wiki')
  const wiki = remote.urlFor('ann', 'ann/source.wiki.git')
  const pushWiki = () => remote.client.git(['push', '--quiet', wiki, 'HEAD:pages'], work)
  await pushWiki()
  const writeWiki = async (text: string) => {
    await remote.client.commit(work, text)
    await pushWiki()
  }
  return { remote, ann, upload, writeWiki, work }
}

async function startCopying(t: TestContext, changes: ConfigChanges = {}) {
  const host = await startLinkedHost(t, { network: { allow_private: true }, ...changes })
  const bob = await host.app.addCaller('bob')
  const migrate = (from: GitHost, options: object = {}) =>
    host.app.post(bob, '/repos/migrate', {
      clone_addr: from.url('ann/source.git'),
      auth_username: 'ann',
      auth_password: PASSWORD,
      repo_name: 'copy',
      ...options,
    })
  const sync = async () => {
    assertStatus(await host.app.post(bob, '/repos/bob/copy/mirror-sync'), 200)
    await host.app.ctx.jobs.runDue()
    return (await host.app.get(bob, '/repos/bob/copy')).body.mirror_status
  }
  const objects = new LfsCalls(host.app, 'bob/copy')
  const has = async (bytes: string) => {
    const { status, text } = await objects.get(bob, `/objects/${pointerTo(bytes).oid}`)
    if (status === 200) assert.equal(text, bytes)
    return status === 200
  }
  const wiki = async () => (await host.app.get(bob, `^/bob/copy.wiki/${refs}`)).text
  return { host, app: host.app, bob, migrate, sync, has, wiki }
}

async function storedFiles({ ctx }: TestApp): Promise<number> {
  return (await Array.fromAsync(ctx.files.list('lfs'))).length
}

type Answer = { readonly href?: string; readonly code?: number; readonly header?: object }

/** A server of objects that answers as it is told; gives what was asked of it. */
async function listenForObjects(
  t: TestContext,
  offer: (oid: string, base: string) => Answer,
  serve: (path: string, response: http.ServerResponse) => void,
) {
  const asked: string[] = []
  const credentials = new Set<string>()
  let base = ''
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    credentials.add(`${request.method} ${request.headers.authorization ?? ''}`)
    if (request.method === 'GET') return serve(request.url ?? '', response)
    const { objects } = JSON.parse((await Array.fromAsync(request)).join('')) as {
      objects: { oid: string; size: number }[]
    }
    asked.push(...objects.map(({ oid }) => oid))
    const offered = objects.map(({ oid, size }) => {
      const { href, code, header } = offer(oid, base)
      if (href === undefined) return { oid, size, error: { code, message: 'as told' } }
      return { oid, size, actions: { download: { href, header } } }
    })
    response.writeHead(200, { 'content-type': LFS_TYPE })
    response.end(JSON.stringify({ transfer: 'basic', objects: offered }))
  }
  const server = http.createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${base}/`, asked, credentials }
}

suite('a migration', () => {
  test('brings the wiki and the objects of Git LFS where they are asked for', async (t) => {
    const { remote, ann } = await startRemote(t)
    const { app, bob, migrate, has, wiki } = await startCopying(t)
    await addPointer(remote.app, ann, 'lost long ago')

    assertStatus(await migrate(remote, { wiki: true, lfs: true }), 201)
    await app.ctx.jobs.runDue()

    assert.deepEqual([await has('one'), await has('lost long ago')], [true, false])
    assert.match(await wiki(), /HEAD\0.*refs\/heads\/pages[^]*refs\/heads\/pages/)
    const { lfs_size, git_size } = await app.ctx.db
      .selectFrom('repository')
      .select(['lfs_size', 'git_size'])
      .executeTakeFirstOrThrow()
    assert.equal(lfs_size, 3)
    assert.ok(git_size > 0)
    assertStatus(await migrate(remote, { repo_name: 'plain' }), 201)
    const plain = await app.get(bob, `^/bob/plain.wiki/${refs}`)
    assert.doesNotMatch(plain.text, /refs\/heads/)
    const absent = await new LfsCalls(app, 'bob/plain').get(bob, `/objects/${pointerTo('one').oid}`)
    assertStatus(absent, 404)
    // What the server has of somebody else's is not given to whoever knows its name.
    assert.equal(await storedFiles(app), 1)
    assertStatus(await migrate(remote, { repo_name: 'again', lfs: true }), 201)
    assert.equal(await storedFiles(app), 1)
  })

  test('is not kept up by a wiki that is not there, and fails as a whole with its objects', async (t) => {
    const { remote, ann } = await startRemote(t)
    const { app, migrate } = await startCopying(t)
    const bad = await listenForObjects(
      t,
      (oid, base) => ({ href: `${base}/${oid}` }),
      (_path, response) => void response.end('two'),
    )
    const broken = await listenForObjects(
      t,
      () => ({ code: 500 }),
      () => undefined,
    )
    const inside = await listenForObjects(
      t,
      () => ({ href: 'http://169.254.169.254/latest' }),
      () => undefined,
    )
    const leading = await listenForObjects(
      t,
      (oid, base) => ({ href: `${base}/${oid}` }),
      (_path, response) => void response.writeHead(302, { location: 'http://[fe80::1]/' }).end(),
    )
    const folders = foldersOf(app)

    for (const [endpoint, message] of [
      [
        bad.url,
        /^Migration failed: LFS: 1 of 1 objects could not be fetched: [0-9a-f]{64}: The content is not that of/,
      ],
      [broken.url, /the remote answered 500\.$/],
      [inside.url, /You can not import from disallowed hosts\.$/],
      [leading.url, /You can not import from disallowed hosts\.$/],
      [
        `${remote.url('ann/none.git')}/info/lfs`,
        /^Migration failed: LFS: the remote answered 40\d\.$/,
      ],
      [
        'http://127.0.0.1:1/x',
        'Migration failed: LFS: the remote cannot be reached: ECONNREFUSED.',
      ],
      [remote.url('ann/source'), /^Migration failed: LFS: the remote answered \d+\.$/],
      ['http://169.254.169.254/x', 'You can not import from disallowed hosts.'],
      ['ftp://example.org/x', 'The LFS endpoint is not valid.'],
      ['/srv/objects', 'The LFS endpoint is not valid.'],
    ] as const) {
      const answer = await migrate(remote, { lfs: true, lfs_endpoint: endpoint })
      assert.equal(answer.status, 422, endpoint)
      if (typeof message === 'string') assert.equal(answer.body.message, message)
      else assert.match(answer.body.message as string, message)
    }
    // Credentials of one server are not told to another.
    assert.deepEqual([...bad.credentials], ['POST ', 'GET '])
    assert.deepEqual([await storedFiles(app), foldersOf(app)], [0, folders])
    assert.deepEqual(await app.ctx.db.selectFrom('lfs_file').selectAll().execute(), [])

    await remote.app.patch(ann, '/repos/ann/source', { has_wiki: false })
    assertStatus(await migrate(remote, { wiki: true }), 201)
    const { folder } = await app.ctx.db
      .selectFrom('repository')
      .select('folder')
      .executeTakeFirstOrThrow()
    assert.equal(existsSync(wikiFolder(app.ctx.config, folder)), false)
    assert.equal(foldersOf(app), folders + 1)
  })

  test('keeps within quotas and limits of size and time', async (t) => {
    const { remote, ann, upload } = await startRemote(t)
    const large = 'x'.repeat(2_000_000)
    await addPointer(remote.app, ann, large)
    await upload(large)
    const limits: [ConfigChanges, number, RegExp][] = [
      [{ quota: { per_owner: '1MiB' } }, 413, /^quota exceeded$/],
      [{ mirror: { max_size: '1MiB' } }, 422, /^Migration failed: LFS: the objects are too large/],
      [{ lfs: { enabled: true, max_file_size: '1000B' } }, 422, /Size must be less/],
    ]

    for (const [changes, status, message] of limits) {
      const { app, migrate } = await startCopying(t, changes)
      const answer = await migrate(remote, { lfs: true })
      assertStatus(answer, status)
      assert.match(answer.body.message as string, message)
      assert.equal(await storedFiles(app), 0)
    }
    const hanging = await listenForObjects(
      t,
      (oid, base) => ({ href: `${base}/${oid}` }),
      (_path, response) => void response.write('o'),
    )
    const { migrate } = await startCopying(t, { mirror: { time_limit: '2s' } })
    const late = await migrate(remote, { lfs: true, lfs_endpoint: hanging.url })
    assertStatus(late, 422)
    assert.match(late.body.message as string, /^Migration failed: LFS: it took too long\.$/)
  })
})

suite('a mirror', () => {
  test('keeps up with the wiki and the objects, and asks for none that it has', async (t) => {
    const { remote, ann, upload, writeWiki, work } = await startRemote(t)
    const { app, bob, migrate, sync, has, wiki } = await startCopying(t)
    const counting = await listenForObjects(
      t,
      (oid) => ({
        href: `${remote.url('ann/source.git')}/info/lfs/objects/${oid}`,
        header: { Authorization: basic('ann', PASSWORD), Host: 'elsewhere.example' },
      }),
      () => undefined,
    )
    const options = { mirror: true, wiki: true, lfs: true, lfs_endpoint: counting.url }
    assertStatus(await migrate(remote, options), 201)
    assert.equal((await sync()).state, 'ok')
    assert.deepEqual(counting.asked, [pointerTo('one').oid])

    await addPointer(remote.app, ann, 'two')
    await addPointer(remote.app, ann, 'three')
    await upload('two')
    await writeWiki('more')
    const failing = await sync()
    assert.partialDeepStrictEqual(failing, { state: 'failing', failures: 1 })
    const { oid } = pointerTo('three')
    assert.equal(
      failing.last_error,
      `LFS: 1 of 2 objects could not be fetched: ${oid}: the remote answered 404`,
    )
    assert.deepEqual([await has('two'), await has('three')], [true, false])
    assert.ok((await wiki()).includes(await remote.client.git(['rev-parse', 'HEAD'], work)))
    const feed = (await app.get(bob, '/repos/bob/copy/activities/feeds')).body
    assert.equal(feed[0].op_type, 'mirror_sync_push')

    await upload('three')
    counting.asked.length = 0
    assert.partialDeepStrictEqual(await sync(), { state: 'ok', failures: 0, last_error: '' })
    assert.equal(await has('three'), true)
    assert.deepEqual(counting.asked, [oid])
    await sync()
    assert.deepEqual(counting.asked, [oid], 'nothing has changed, nothing is asked for')
    const { lfs_size } = await app.ctx.db
      .selectFrom('repository')
      .select('lfs_size')
      .executeTakeFirstOrThrow()
    assert.equal(lfs_size, 11)

    await remote.app.patch(ann, '/repos/ann/source', { has_wiki: false })
    assert.equal((await sync()).state, 'failing')
    assert.match(await wiki(), /refs\/heads\/pages/)
    const row = await app.ctx.db.selectFrom('mirror').selectAll().executeTakeFirstOrThrow()
    assert.doesNotMatch(JSON.stringify(row), new RegExp(counting.url))
  })

  test('has a wiki as soon as its remote has one, and says what the remote has lost', async (t) => {
    const { remote, ann } = await startRemote(t)
    await remote.app.patch(ann, '/repos/ann/source', { has_wiki: false })
    const { migrate, sync, wiki } = await startCopying(t)
    assertStatus(await migrate(remote, { mirror: true, wiki: true, lfs: true }), 201)
    assert.equal((await sync()).state, 'ok')
    assert.doesNotMatch(await wiki(), /refs\/heads/)

    await remote.app.patch(ann, '/repos/ann/source', { has_wiki: true })
    await addPointer(remote.app, ann, 'lost')
    const { state, last_error } = await sync()

    assert.match(await wiki(), /refs\/heads\/pages/)
    const expected = `LFS: the remote does not have 1 of 1 objects: ${pointerTo('lost').oid}`
    assert.deepEqual([state, last_error], ['failing', expected])
  })
})
