import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { lfsKey } from '../../../src/code/lfs/object.ts'
import { sweepLfs } from '../../../src/code/lfs/sweep.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { LfsCalls, LFS_TYPE, oidOf, pointerTo } from './support.ts'

const content = 'bytes of a large file'
const pointer = pointerTo(content)

interface World {
  readonly app: TestApp
  readonly ann: TestCaller
  readonly bob: TestCaller
  /** Ann's public repository. */
  readonly open: LfsCalls
  /** Ann's private repository. */
  readonly hidden: LfsCalls
}

async function startWorld(t: TestContext, changes: ConfigChanges = {}): Promise<World> {
  const app = await startApp(t, { lfs: { enabled: true }, ...changes })
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  for (const [name, isPrivate] of [
    ['open', false],
    ['hidden', true],
  ] as const) {
    assertStatus(await app.post(ann, '/user/repos', { name, private: isPrivate }), 201)
  }
  const open = new LfsCalls(app, 'ann/open.git')
  return { app, ann, bob, open, hidden: new LfsCalls(app, 'ann/hidden') }
}

async function storedFiles({ app }: World): Promise<readonly string[]> {
  const files = await Array.fromAsync(app.ctx.files.list('lfs'))
  return files.map(({ key }) => key)
}

async function sizeOf({ app, ann }: World, path: string): Promise<number> {
  const id = (await app.get(ann, `/repos/${path}`)).body.id as number
  const row = await app.ctx.db
    .selectFrom('repository')
    .select('lfs_size')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.lfs_size
}

suite('a server without Git LFS', () => {
  test('has none of its addresses', async (t) => {
    const world = await startWorld(t, { lfs: { enabled: false } })

    assertStatus(await world.open.batch(world.ann, 'download', [pointer]), 404)
    assertStatus(await world.open.get(world.ann, `/objects/${pointer.oid}`), 404)
    const { body } = await world.app.get(undefined, '/settings/repository')
    assert.equal(body.lfs_disabled, true)
  })
})

suite('a fresh server', () => {
  test('takes and gives large files without a setting', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    const calls = new LfsCalls(app, 'ann/one.git')

    assertStatus(await calls.batch(ann, 'upload', [pointer]), 200)
    assertStatus(await calls.put(ann, pointer, content), 200)

    assert.equal((await calls.get(ann, `/objects/${pointer.oid}`)).text, content)
    const { body } = await app.get(undefined, '/settings/repository')
    assert.equal(body.lfs_disabled, false)
  })
})

suite('a batch', () => {
  test('leads a writer through upload, verification and download', async (t) => {
    const world = await startWorld(t)
    const { ann, open } = world
    const root = 'http://codestead.test/ann/open.git/info/lfs'
    const { authorization = '' } = ann.headers

    const asked = await open.batch(ann, 'upload', [pointer], { transfers: ['basic'] })
    assertStatus(asked, 200)
    assert.equal(asked.headers['content-type'], LFS_TYPE)
    const common = { Authorization: authorization }
    assert.deepEqual(asked.body, {
      transfer: 'basic',
      objects: [
        {
          ...pointer,
          actions: {
            upload: {
              href: `${root}/objects/${pointer.oid}/${pointer.size}`,
              header: { ...common, 'Transfer-Encoding': 'chunked' },
            },
            verify: { href: `${root}/verify`, header: { ...common, Accept: LFS_TYPE } },
          },
        },
      ],
    })
    assertStatus(await open.post(ann, '/verify', pointer), 404)
    assertStatus(await open.put(ann, pointer, content), 200)
    assertStatus(await open.put(ann, pointer, content), 200)
    assertStatus(await open.post(ann, '/verify', pointer), 200)
    assertStatus(await open.post(ann, '/verify', { ...pointer, size: 1 }), 422)
    assert.deepEqual((await open.batch(ann, 'upload', [pointer])).body.objects, [pointer])
    const download = await open.batch(undefined, 'download', [pointer])
    assert.deepEqual(download.body.objects, [
      { ...pointer, actions: { download: { href: `${root}/objects/${pointer.oid}`, header: {} } } },
    ])
    assert.equal((await open.get(undefined, `/objects/${pointer.oid}`)).text, content)
    assert.equal((await open.get(undefined, `/objects/${pointer.oid}/name.bin`)).text, content)

    assert.equal(await sizeOf(world, 'ann/open'), pointer.size)
    assert.equal((await storedFiles(world)).length, 1)
  })

  test('says what is wrong with each object', async (t) => {
    const world = await startWorld(t, {
      lfs: { enabled: true, max_file_size: '100B', max_batch_size: 5 },
    })
    const { ann, open } = world
    await open.put(ann, pointer, content)
    const wrong = [
      { oid: 'abc', size: 1 },
      { oid: pointer.oid.toUpperCase(), size: 1 },
      { ...pointer, size: -1 },
      { ...pointer, size: 7 },
      { oid: oidOf('other'), size: 101 },
    ]

    const up = (await open.batch(ann, 'upload', wrong)).body.objects
    const down = (await open.batch(ann, 'download', wrong)).body.objects

    const invalid = { code: 422, message: 'Oid or size are invalid' }
    const size = { code: 422, message: `Object ${pointer.oid} is not 7 bytes` }
    const errors = (objects: { error: unknown }[]) => objects.map(({ error }) => error)
    assert.deepEqual(errors(up), [
      invalid,
      invalid,
      invalid,
      size,
      { code: 422, message: 'Size must be less than or equal to 100' },
    ])
    assert.deepEqual(errors(down), [
      invalid,
      invalid,
      invalid,
      size,
      { code: 404, message: 'Not Found' },
    ])
    assertStatus(await open.batch(ann, 'download', [...wrong, pointer]), 413)
    assertStatus(
      await open.put(ann, { oid: oidOf('x'.repeat(101)), size: 101 }, 'x'.repeat(101)),
      413,
    )
  })

  test('that cannot be read is refused, in the type of Git LFS', async (t) => {
    const { app, ann, open } = await startWorld(t)
    const path = '^/ann/open/info/lfs/objects/batch'
    const body = JSON.stringify({ operation: 'download', objects: [] })

    const cases = [
      { sent: () => app.post(ann, path, body, { 'content-type': LFS_TYPE }), status: 415 },
      {
        sent: () =>
          app.post(ann, path, body, { 'content-type': LFS_TYPE, accept: 'application/json' }),
        status: 415,
      },
      { sent: () => open.batch(ann, 'delete', []), status: 400 },
      { sent: () => open.batch(ann, 'download', [], { hash_algo: 'sha512' }), status: 409 },
      { sent: () => open.post(ann, '/objects/batch', 'text'), status: 422 },
      { sent: () => open.post(ann, '/objects/batch', { operation: 'upload' }), status: 422 },
    ]

    for (const { sent, status } of cases) {
      const answer = await sent()
      assertStatus(answer, status)
      assert.equal(answer.headers['content-type'], LFS_TYPE)
      assert.deepEqual(Object.keys(answer.body as object), ['message'])
    }
  })
})

suite('access to Git LFS', () => {
  test('is that of git', async (t) => {
    const { app, ann, bob, open, hidden } = await startWorld(t)
    const reader = await app.withToken(ann.account, ['read:repository'])
    const stranger = await app.withToken(ann.account, ['write:issue'])
    await hidden.put(ann, pointer, content)
    await open.put(ann, pointer, content)

    const cases: [Promise<{ status: number }>, number][] = [
      [open.batch(undefined, 'upload', [pointer]), 401],
      [open.batch(bob, 'upload', [pointer]), 403],
      [open.batch(reader, 'upload', [pointer]), 403],
      [open.batch(stranger, 'download', [pointer]), 403],
      [open.batch(reader, 'download', [pointer]), 200],
      [hidden.batch(undefined, 'download', [pointer]), 401],
      [hidden.batch(bob, 'download', [pointer]), 404],
      [hidden.get(undefined, `/objects/${pointer.oid}`), 401],
      [hidden.get(bob, `/objects/${pointer.oid}`), 404],
      [hidden.get(reader, `/objects/${pointer.oid}`), 200],
      [hidden.put(bob, pointer, content), 404],
      [open.put(bob, pointer, content), 403],
      [open.put(undefined, pointer, content), 401],
      [open.post(bob, '/verify', pointer), 403],
      [new LfsCalls(app, 'ann/none').batch(ann, 'download', []), 404],
    ]

    for (const [sent, status] of cases) assertStatus((await sent) as never, status)
    const { headers } = await hidden.batch(undefined, 'download', [pointer])
    assert.equal(headers['www-authenticate'], 'Basic realm="gitea-lfs"')
  })

  test('follows a rename, and ends with archiving', async (t) => {
    const { app, ann, open } = await startWorld(t)
    await app.patch(ann, '/repos/ann/open', { name: 'renamed' })

    const moved = await open.batch(ann, 'upload', [pointer])
    assertStatus(moved, 307)
    assert.equal(moved.headers['location'], '/ann/renamed.git/info/lfs/objects/batch')

    await app.patch(ann, '/repos/ann/renamed', { archived: true })
    const renamed = new LfsCalls(app, 'ann/renamed')
    assertStatus(await renamed.batch(ann, 'upload', [pointer]), 403)
    assertStatus(await renamed.batch(ann, 'download', [pointer]), 200)
  })

  test('to an object is not had by knowing its name', async (t) => {
    const world = await startWorld(t)
    const { app, ann, bob, open, hidden } = world
    await hidden.put(ann, pointer, content)
    await app.post(bob, '/user/repos', { name: 'own' })
    const own = new LfsCalls(app, 'bob/own')

    const [asked] = (await own.batch(bob, 'upload', [pointer])).body.objects
    assert.deepEqual(Object.keys(asked.actions as object), ['upload', 'verify'])
    assertStatus(await own.put(bob, pointer, 'x'.repeat(pointer.size)), 422)
    assertStatus(await own.get(bob, `/objects/${pointer.oid}`), 404)
    assertStatus(await open.get(ann, `/objects/${pointer.oid}`), 404)

    // Who may read it elsewhere need not send it again; who brings the bytes has them anyway.
    assert.deepEqual((await open.batch(ann, 'upload', [pointer])).body.objects, [pointer])
    assert.equal((await open.get(bob, `/objects/${pointer.oid}`)).text, content)
    assertStatus(await own.put(bob, pointer, content), 200)
    assert.equal((await own.get(bob, `/objects/${pointer.oid}`)).text, content)
    assert.equal((await storedFiles(world)).length, 1)
  })
})

suite('an upload', () => {
  test('that is not what its name says leaves nothing', async (t) => {
    const world = await startWorld(t)
    const { ann, open } = world
    const cases: [{ oid: string; size: number | string }, string][] = [
      [pointer, 'other bytes of this f'],
      [{ ...pointer, size: 3 }, content],
      [{ ...pointer, size: 1000 }, content],
      [{ oid: 'abc', size: 3 }, 'abc'],
      [{ ...pointer, size: 'many' }, content],
    ]

    for (const [name, bytes] of cases) assertStatus(await open.put(ann, name, bytes), 422)

    assert.deepEqual(await storedFiles(world), [])
    assert.equal(await sizeOf(world, 'ann/open'), 0)
  })

  test('that goes on behind its length is told so, where it was not said how long it is', async (t) => {
    const world = await startWorld(t)
    const { oid, size } = pointer
    const answer = await world.app.server.inject({
      method: 'PUT',
      url: `/ann/open.git/info/lfs/objects/${oid}/${size}`,
      headers: { ...world.ann.headers, 'transfer-encoding': 'chunked' },
      payload: Readable.from([Buffer.from(content), Buffer.from('and more')]),
    })
    assert.equal(answer.statusCode, 422)
    assert.deepEqual(await storedFiles(world), [])
  })

  test('at the same time as others is stored and counted once, and a failure takes nothing away', async (t) => {
    const world = await startWorld(t)
    const { ann, open, hidden } = world
    const wrong = 'x'.repeat(pointer.size)

    const answers = await Promise.all(
      [content, wrong, content, wrong, content].flatMap((bytes) => [
        open.put(ann, pointer, bytes),
        hidden.put(ann, pointer, bytes),
      ]),
    )

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.ok(statuses.filter((status) => status === 200).length >= 6, String(statuses))
    assert.ok(statuses.every((status) => status === 200 || status === 422))
    assert.equal((await open.get(ann, `/objects/${pointer.oid}`)).text, content)
    assert.equal((await storedFiles(world)).length, 1)
    assert.equal(await sizeOf(world, 'ann/open'), pointer.size)
    assert.equal(await sizeOf(world, 'ann/hidden'), pointer.size)
  })
})

suite('a download', () => {
  test('gives the part that is asked for', async (t) => {
    const { ann, open } = await startWorld(t)
    await open.put(ann, pointer, content)
    await open.put(ann, pointerTo(''), '')

    const part = (range: string) => open.get(ann, `/objects/${pointer.oid}`, { range })
    const middle = await part('bytes=6-7')
    assertStatus(middle, 206)
    assert.deepEqual([middle.text, middle.headers['content-range']], ['of', 'bytes 6-7/21'])
    assert.equal((await part('bytes=15-')).text, content.slice(15))
    assertStatus(await part('bytes=21-'), 416)
    assertStatus(await open.get(ann, '/objects/abc'), 404)
    const empty = await open.get(ann, `/objects/${oidOf('')}`)
    assert.deepEqual([empty.status, empty.text], [200, ''])
  })

  test('through media gives the bytes, through raw the pointer', async (t) => {
    const { app, ann, open } = await startWorld(t)
    const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${pointer.oid}\nsize ${pointer.size}\n`
    const file = { content: Buffer.from(text).toString('base64'), message: 'x' }
    await app.post(ann, '/repos/ann/open/contents/big.bin', file)
    assert.equal((await app.get(ann, '/repos/ann/open/media/big.bin')).text, text)

    await open.put(ann, pointer, content)

    const media = await app.get(ann, '/repos/ann/open/media/big.bin')
    assert.deepEqual([media.text, media.headers['etag']], [content, `"${pointer.oid}"`])
    const range = { range: 'bytes=0-4' }
    const part = await app.get(ann, '/repos/ann/open/media/big.bin?ref=main', range)
    assert.deepEqual([part.status, part.text], [206, 'bytes'])
    assert.equal((await app.get(ann, '^/ann/open/media/branch/main/big.bin')).text, content)
    assert.equal((await app.get(ann, '/repos/ann/open/raw/big.bin')).text, text)
    assertStatus(await app.get(ann, '/repos/ann/open/media/none.bin'), 404)
  })
})

suite('objects of a repository', () => {
  test('go with its copies, and away with the last of them', async (t) => {
    const world = await startWorld(t)
    const { app, ann, bob, open } = world
    await open.put(ann, pointer, content)
    await app.patch(ann, '/repos/ann/open', { template: true })
    assertStatus(await app.post(bob, '/repos/ann/open/forks', {}), 202)
    const made = { owner: 'bob', name: 'made', git_content: true }
    assertStatus(await app.post(bob, '/repos/ann/open/generate', made), 201)
    assert.deepEqual(
      [
        await sizeOf({ ...world, ann: bob }, 'bob/open'),
        await sizeOf({ ...world, ann: bob }, 'bob/made'),
      ],
      [pointer.size, pointer.size],
    )

    await app.delete(ann, '/repos/ann/open')
    await app.delete(bob, '/repos/bob/made')
    await app.ctx.jobs.runDue()
    const copy = new LfsCalls(app, 'bob/open')
    assert.equal((await copy.get(bob, `/objects/${pointer.oid}`)).text, content)

    await app.delete(bob, '/repos/bob/open')
    await app.ctx.jobs.runDue()
    assert.deepEqual(await storedFiles(world), [])
    assert.deepEqual(await app.ctx.db.selectFrom('lfs_file').selectAll().execute(), [])
  })

  test('that a crash left without a record are swept away when they are old', async (t) => {
    const world = await startWorld(t)
    const { app, ann, open } = world
    await open.put(ann, pointer, content)
    const stray = lfsKey('00000000-0000-4000-8000-000000000000')
    await app.ctx.files.put(
      stray,
      (async function* () {
        yield Buffer.from('x')
      })(),
    )

    await sweepLfs(app.ctx)
    assert.equal((await storedFiles(world)).length, 2)
    app.passTime(2 * 86_400)
    await sweepLfs(app.ctx)

    const left = await storedFiles(world)
    assert.equal(left.length, 1)
    assert.ok(!left.includes(stray))
  })
})

suite('locks', () => {
  test('are taken, listed, verified and released', async (t) => {
    const { app, ann, bob, open, hidden } = await startWorld(t)
    await app.put(ann, '/repos/ann/open/collaborators/bob', { permission: 'write' })

    const taken = await open.post(ann, '/locks', {
      path: '/dir//a.bin',
      ref: { name: 'refs/heads/main' },
    })
    assertStatus(taken, 201)
    const { lock } = taken.body
    assert.deepEqual(Object.keys(lock as object), ['id', 'path', 'locked_at', 'owner'])
    assert.deepEqual([lock.path, lock.owner], ['dir/a.bin', { name: 'ann' }])
    const again = await open.post(bob, '/locks', { path: 'dir/a.bin' })
    assertStatus(again, 409)
    assert.deepEqual(again.body, { lock, message: 'already created lock' })
    const other = (await open.post(bob, '/locks', { path: 'b.bin' })).body.lock

    assert.deepEqual((await open.get(undefined, '/locks')).body, { locks: [lock, other] })
    assert.deepEqual((await open.get(ann, '/locks?path=b.bin')).body, { locks: [other] })
    assert.deepEqual((await open.get(ann, `/locks?id=${lock.id}`)).body, { locks: [lock] })
    const first = (await open.get(ann, '/locks?limit=1')).body
    assert.deepEqual(first, { locks: [lock], next_cursor: lock.id })
    const rest = (await open.get(ann, `/locks?limit=1&cursor=${first.next_cursor}`)).body
    assert.deepEqual(rest, { locks: [other] })
    const verified = await open.post(ann, '/locks/verify', {})
    assert.deepEqual(verified.body, { ours: [lock], theirs: [other] })

    // Locks of another repository do not exist here.
    assertStatus(await hidden.post(ann, `/locks/${lock.id}/unlock`, { force: true }), 404)
    assertStatus(await open.post(bob, `/locks/${lock.id}/unlock`, {}), 403)
    const forced = await open.post(bob, `/locks/${lock.id}/unlock`, { force: true })
    assert.deepEqual([forced.status, forced.body], [200, { lock }])
    assertStatus(await open.post(bob, `/locks/${lock.id}/unlock`, {}), 404)
    assertStatus(await open.post(bob, `/locks/${other.id}/unlock`, {}), 200)
  })

  test('are for those who may push', async (t) => {
    const { ann, bob, open } = await startWorld(t)

    for (const path of ['/locks', '/locks/verify', '/locks/1/unlock']) {
      assertStatus(await open.post(undefined, path, { path: 'a' }), 401)
      assertStatus(await open.post(bob, path, { path: 'a' }), 403)
    }
    for (const path of ['', '/', '../a', 'a/../b', 'x'.repeat(5000)]) {
      assertStatus(await open.post(ann, '/locks', { path }), 422)
    }
    assertStatus(await open.post(ann, '/locks', {}), 422)
  })

  test('of one path are given once, however many ask', async (t) => {
    const { ann, open } = await startWorld(t)

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => open.post(ann, '/locks', { path: 'a' })),
    )

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)])
  })
})
