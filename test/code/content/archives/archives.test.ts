import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { sweepArchives } from '../../../../src/code/content/kept-archives.ts'
import { commit, makePrivate, startWithRepository, type Setup } from '../../commits/setup.ts'
import { assertError, assertStatus } from '../../../support/expect.ts'
import { startFailingGit } from '../../../support/failing-git.ts'

async function ask(
  { app }: Pick<Setup, 'app'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) {
  return app.server.inject({ url: `/api/v1${path}`, headers })
}

async function listFiles({ app }: Pick<Setup, 'app'>): Promise<readonly string[]> {
  const files = await Array.fromAsync(app.ctx.files.list('archives'))
  return files.map(({ key }) => key)
}

suite('archives', () => {
  test('that are asked for again are kept, with their tag and their parts', async (t) => {
    const setup = await startWithRepository(t)
    const path = `${setup.path}/archive/main.tar.gz`

    const first = await ask(setup, path)
    assert.deepEqual(await listFiles(setup), [])
    const second = await ask(setup, path)
    const third = await ask(setup, path)

    assert.equal(first.headers.etag, undefined)
    const { etag = '' } = second.headers
    assert.match(etag, /^"[0-9a-f-]{36}"$/)
    assert.equal(third.headers.etag, etag)
    assert.deepEqual([second.rawPayload, third.rawPayload], [first.rawPayload, first.rawPayload])
    assert.equal(second.headers['content-length'], String(first.rawPayload.length))
    for (const name of ['content-type', 'content-disposition', 'link']) {
      assert.equal(second.headers[name], first.headers[name], name)
    }
    const unchanged = await ask(setup, path, { 'if-none-match': etag })
    assert.equal(unchanged.statusCode, 304)
    assert.equal(unchanged.headers.etag, etag)
    const part = await ask(setup, path, { range: 'bytes=10-19', 'if-range': etag })
    assert.equal(part.statusCode, 206)
    assert.deepEqual(part.rawPayload, first.rawPayload.subarray(10, 20))
    const beyond = await ask(setup, path, { range: 'bytes=9999999-' })
    assert.equal(beyond.statusCode, 416)
    const none = await ask(setup, path, { range: 'bytes=1-2,4-5' })
    assert.deepEqual(none.rawPayload, first.rawPayload)
    assert.equal((await listFiles(setup)).length, 1)
    const zip = await ask(setup, `${setup.path}/archive/main.zip`)
    assert.equal(zip.rawPayload.toString('latin1', 0, 2), 'PK')
  })

  test('are packed once for all who ask again', async (t) => {
    const { host, takeStarted } = await startFailingGit(t)
    const { app } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    takeStarted()

    const asked = Array.from({ length: 6 }, () => ask({ app }, '/repos/ann/one/archive/main.zip'))
    const answers = await Promise.all(asked)

    const [first] = answers
    for (const { statusCode, rawPayload } of answers) {
      assert.equal(statusCode, 200)
      assert.deepEqual(rawPayload, first?.rawPayload)
    }
    const packed = takeStarted().filter((command) => command === 'archive')
    assert.equal(packed.length, 2, 'one for the first, and one for all others')
  })

  test('follow the commit, and the name of the repository', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const named = async (name: string) => ask(setup, `/repos/ann/${name}/archive/main.tar.gz`)
    await named('one')
    const before = await named('one')
    await commit(setup, { a: randomBytes(100).toString('hex') })

    const after = await named('one')
    await named('one')
    await app.patch(ann, path, { name: 'two' })
    const renamed = await named('two')

    assert.equal(before.statusCode, 200)
    assert.equal(after.headers.etag, undefined)
    assert.notDeepEqual(after.rawPayload, before.rawPayload)
    assert.equal(renamed.headers.etag, undefined)
  })

  test('are for those who may read the code, and gone with the repository', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const archive = `${path}/archive/main.tar.gz`
    await ask(setup, archive)
    assert.ok((await ask(setup, archive)).headers.etag)

    await makePrivate(setup)
    assertError(await app.get(bob, archive), 404)
    const own = await app.get(ann, archive)
    assertStatus(own, 200)
    assert.equal(own.headers['cross-origin-resource-policy'], 'same-site')
    assertStatus(await app.delete(ann, path), 204)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await listFiles(setup), [])
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true, readme: 'Default' })
    assert.equal((await ask(setup, archive)).headers.etag, undefined)
  })

  test('take no more room than they may: the longest unused go', async (t) => {
    const setup = await startWithRepository(t, { archives: { max_room: '6KiB' } })
    const { app, path } = setup
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const noise = randomBytes(1_500).toString('hex')
      ids.push(await commit(setup, { noise, count: String(count) }))
    }
    for (const id of ids) {
      await ask(setup, `${path}/archive/${id}.zip`)
      assertStatus(await app.get(undefined, `${path}/archive/${id}.zip`), 200)
    }
    await app.ctx.jobs.runDue()

    const rows = await app.ctx.db.selectFrom('repository_archive').selectAll().execute()
    assert.ok(rows.length >= 1 && rows.length < 3)
    assert.ok(rows.reduce((sum, { size }) => sum + size, 0) <= 6 * 1024)
    assert.equal(rows.at(-1)?.commit_id, ids[2])
    assert.equal((await listFiles(setup)).length, rows.length)
  })

  test('that are larger than all that may be kept are packed for each', async (t) => {
    const setup = await startWithRepository(t, { archives: { max_room: '1KiB' } })
    await commit(setup, { noise: randomBytes(2_000).toString('hex') })
    for (let count = 0; count < 3; count++) {
      const answer = await ask(setup, `${setup.path}/archive/main.zip`)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers.etag, undefined)
    }
    assert.deepEqual(await listFiles(setup), [])
  })

  test('are packed again when their file is lost', async (t) => {
    const setup = await startWithRepository(t)
    const path = `${setup.path}/archive/main.zip`
    await ask(setup, path)
    const { rawPayload } = await ask(setup, path)
    for (const key of await listFiles(setup)) await setup.app.ctx.files.remove(key)

    const direct = await ask(setup, path)
    const again = await ask(setup, path)

    assert.deepEqual([direct.rawPayload, again.rawPayload], [rawPayload, rawPayload])
    assert.ok(again.headers.etag)
  })

  test('that a crash left without a record are swept', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await ask(setup, `${path}/archive/main.zip`)
    await ask(setup, `${path}/archive/main.zip`)
    const kept = await listFiles(setup)
    const key = 'archives/00/00000000-0000-4000-8000-000000000000'
    await app.ctx.files.putNew(key, [Buffer.from('half')] as never)
    app.passTime(3 * 86_400)

    await sweepArchives(app.ctx)

    assert.deepEqual(await listFiles(setup), kept)
  })
})
