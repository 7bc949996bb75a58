import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { examine } from '../../../src/server/doctor/examine.ts'
import { keyOf } from '../../../src/platform/files/key.ts'
import { sweepAttachments } from '../../../src/repositories/attachments/sweep.ts'
import { repositoriesFolder } from '../../../src/platform/git/layout.ts'
import { GitError } from '../../../src/platform/git/run.ts'
import { isStorageFull } from '../../../src/platform/storage/disk-room.ts'
import { MARK_KEY } from '../../../src/platform/storage/mark.ts'
import { filesFolder } from '../../../src/platform/storage/open-storage.ts'
import { startWithRelease, storedKeys } from '../../delivery/release-attachments/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { signIn } from '../../web/support.ts'
import { upload } from './form.ts'
import { filesOnDisk, OCTETS } from './listening.ts'

suite('a storage that fails', () => {
  test('because it is full gives the error of the contract and keeps nothing', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t)
    const root = await app.addAdmin()
    const issue = `${path}/issues/${(await app.post(ann, `${path}/issues`, { title: 'x' })).body.number}`
    const { id } = (await app.post(ann, `${issue}/comments`, { body: 'x' })).body
    const content = Buffer.alloc(8_000_000)
    const unmount = mountSmall(filesFolder(app.ctx.config))
    if (!unmount) return t.skip('nothing can be mounted here')

    try {
      const raw = await app.post(root, `${assets}?name=x`, content, OCTETS)
      assertError(raw, 500, 'insufficient storage')
      assertError(await upload(app, ann, `${issue}/assets`, { content }), 500, '')
      const said = await upload(app, ann, `${path}/issues/comments/${id}/assets`, { content })
      assertError(said, 507, 'insufficient storage')
      const put = await app.put(root, `${assets}?name=x`, content, OCTETS)
      assertError(put, 500, 'insufficient storage')
      const uploads = assets.replace('/assets', '/uploads')
      const part = await app.post(ann, `${uploads}?name=x`, content, OCTETS)
      assertError(part, 507, 'insufficient storage')
      assert.deepEqual(filesOnDisk(app), [])
      for (const place of [assets, `${issue}/assets`, `${path}/issues/comments/${id}/assets`])
        assert.deepEqual((await app.get(ann, place)).body, [])
      assertStatus(await app.post(ann, `${assets}?name=x`, Buffer.alloc(100_000), OCTETS), 201)
    } finally {
      unmount()
    }
  })

  test('because it is full gives who wrote on a page their words back', async (t) => {
    const { app, ann, path } = await startWithRelease(t)
    await app.post(ann, `${path}/issues`, { title: 'x' })
    const byAnn = await signIn(app, 'ann')
    const text = (name: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nMine\r\n`
    const file = `--b\r\ncontent-disposition: form-data; name="attachment"; filename="a.log"\r\n\r\n${'x'.repeat(8_000_000)}\r\n`
    const form = `${text('title')}${file}${file}${text('body')}--b--\r\n`
    const unmount = mountSmall(filesFolder(app.ctx.config))
    if (!unmount) return t.skip('nothing can be mounted here')

    try {
      for (const place of ['new', '1/comments']) {
        const type = { 'content-type': 'multipart/form-data; boundary=b' }
        const answer = await byAnn.send(`/ann/one/issues/${place}`, form, type)
        assertStatus(answer, 507)
        assert.match(answer.text, /There is no room for these files\. Nothing was sent: choose the/)
        assert.match(answer.text, /<textarea[^>]*>\nMine</)
      }
      assert.deepEqual(filesOnDisk(app), [])
      const { body } = await app.get(ann, `${path}/issues`)
      assert.deepEqual([body.length, body[0].comments], [1, 0])
    } finally {
      unmount()
    }
  })

  test('because little is left of it takes nothing more, and gives, takes back and says so', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t, { lfs: { enabled: true } })
    const folder = filesFolder(app.ctx.config)
    const unmount = mountSmall(folder)
    if (!unmount) return t.skip('nothing can be mounted here')

    try {
      const { body } = await upload(app, ann, assets)
      const uploads = assets.replace('/assets', '/uploads?name=x')
      assert.equal((await app.get(undefined, '^/api/healthz')).body.status, 'pass')
      writeFileSync(join(folder, 'filler'), Buffer.alloc(4_000_000))
      app.passTime(1)
      assertError(await upload(app, await app.addAdmin(), assets), 500, 'insufficient storage')
      assertError(await app.post(ann, uploads, 'x', OCTETS), 507, 'insufficient storage')
      const oid = hash('sha256', 'x')
      const lfs = `^/ann/one.git/info/lfs/objects/${oid}/1`
      assertStatus(await app.put(ann, lfs, 'x', OCTETS), 507)
      const push = { 'content-type': 'application/x-git-receive-pack-request' }
      assertStatus(await app.post(ann, '^/ann/one.git/git-receive-pack', '0000', push), 507)
      const health = await app.get(undefined, '^/api/healthz')
      assertStatus(health, 200)
      assert.equal(health.body.status, 'warn')
      assert.equal(health.body.checks['storage:space'][0].status, 'warn')
      assertStatus(await app.get(undefined, `^/attachments/${body.uuid}`), 200)
      assertStatus(await app.post(ann, `${path}/issues`, { title: 'x' }), 201)
      assertStatus(await app.delete(ann, `${assets}/${body.id}`), 204)
      rmSync(join(folder, 'filler'))
      app.passTime(1)
      assertStatus(await upload(app, ann, assets), 201)
    } finally {
      unmount()
    }
  })

  test('because it is read-only by now is told by files, and by the state of the server', async (t) => {
    const { app, ann, assets } = await startWithRelease(t, { lfs: { enabled: true } })
    const folder = filesFolder(app.ctx.config)
    const unmount = mountSmall(folder)
    if (!unmount) return t.skip('nothing can be mounted here')

    try {
      const { body } = await upload(app, ann, assets)
      const remount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, folder])
      remount('ro')
      const lfs = `^/ann/one.git/info/lfs/objects/${hash('sha256', 'x')}/1`
      assertStatus(await app.put(ann, lfs, 'x', OCTETS), 507)
      const health = await app.get(undefined, '^/api/healthz')
      assertStatus(health, 503)
      assert.equal(health.body.checks['storage:writable'][0].status, 'fail')
      assertStatus(await app.get(undefined, `^/attachments/${body.uuid}`), 200)
      remount('rw')
      assertStatus(await app.get(undefined, '^/api/healthz'), 200)
      assertStatus(await app.put(ann, lfs, 'x', OCTETS), 200)
    } finally {
      unmount()
    }
  })

  test('because it is read-only takes no new repositories', async (t) => {
    const { app, ann } = await startWithRelease(t)
    const folder = repositoriesFolder(app.ctx.config)
    const mark = readFileSync(join(folder, 'database-id'))
    const mounted = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]
    if (spawnSync('mount', mounted).status !== 0) return t.skip('nothing can be mounted here')

    try {
      writeFileSync(join(folder, 'database-id'), mark)
      execFileSync('mount', ['-o', 'remount,ro', folder])
      assertStatus(await app.post(ann, '/user/repos', { name: 'two', auto_init: true }), 507)
      assertStatus(await app.get(ann, '/repos/ann/two'), 404)
    } finally {
      execFileSync('umount', ['-l', folder])
    }
    assertStatus(await app.post(ann, '/user/repos', { name: 'two', auto_init: true }), 201)
  })

  test('by an error of the disk or of the database is told as such', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t, { lfs: { enabled: true } })
    const fail = (error: object) => async () => {
      throw Object.assign(new Error('broken'), error)
    }
    const oid = hash('sha256', 'x')
    for (const code of ['ENOSPC', 'EDQUOT', 'EIO']) {
      const put = t.mock.method(app.ctx.files, 'put', fail({ code }))
      const putNew = t.mock.method(app.ctx.files, 'putNew', fail({ code }))
      const stored = await app.put(ann, `^/ann/one.git/info/lfs/objects/${oid}/1`, 'x', OCTETS)
      assertStatus(stored, 507)
      const root = await app.addAdmin(`root-${code.toLowerCase()}`)
      assertError(await upload(app, root, assets), 500, 'insufficient storage')
      put.mock.restore()
      putNew.mock.restore()
    }
    const complaint = 'error: unable to write file: No space left on device'
    assert.ok(isStorageFull(new GitError('index-pack', 128, complaint)))
    assert.ok(!isStorageFull(new GitError('index-pack', 128, 'fatal: early EOF')))
    for (const error of [
      { errcode: 13 },
      { errcode: 778 },
      { errcode: 8 },
      { code: 'EROFS' },
      { code: '53100' },
    ]) {
      const broken = t.mock.method(app.ctx.db, 'transaction', () => {
        throw Object.assign(new Error('broken'), error)
      })
      assertError(
        await app.post(ann, `${path}/issues`, { title: 'x' }),
        507,
        'insufficient storage',
      )
      broken.mock.restore()
    }
  })

  test('in the middle of a download breaks that download only', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const { body } = await upload(app, ann, assets)
    const { files } = app.ctx
    t.mock.method(files, 'open', async () => {
      throw new Error('out of order')
    })

    const answer = await app.get(undefined, `^/attachments/${body.uuid}`)

    assertStatus(answer, 503)
    assert.equal(answer.headers['retry-after'], '5')
    assertStatus(await app.get(undefined, '/version'), 200)
  })
})

/** Four megabytes in place of the folder; nothing where that is not allowed. */
function mountSmall(folder: string): (() => void) | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mkdirSync(join(folder, 'marks'))
  writeFileSync(join(folder, MARK_KEY), '')
  return () => execFileSync('umount', ['-l', folder])
}

suite('files and records that do not match', () => {
  test('are found by the doctor; files without a record go with the sweep', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const { ctx } = app
    const kept = (await upload(app, ann, assets)).body
    const lost = (await upload(app, ann, assets)).body
    const stray = keyOf('00000000-0000-4000-8000-000000000000')
    await ctx.files.put(
      stray,
      (async function* () {
        yield Buffer.from('x')
      })(),
    )
    const young = keyOf('11111111-0000-4000-8000-000000000000')
    await ctx.files.put(
      young,
      (async function* () {
        yield Buffer.from('y')
      })(),
    )
    await ctx.files.remove(keyOf(lost.uuid))
    const folder = filesFolder(ctx.config)
    for (const key of [stray, keyOf(kept.uuid)]) utimesSync(join(folder, key), 1, 1)

    const findings = await examine(ctx.db, ctx.config, ctx.now(), { fix: false })
    await sweepAttachments(ctx)

    const found = findings.flatMap(({ found: lines }) => lines)
    assert.deepEqual(found, [
      `attachment ${lost.id} has no file`,
      `${stray} belongs to no attachment; the server moves it to the trash by itself`,
    ])
    assert.deepEqual(await storedKeys(app), [young, keyOf(kept.uuid)].toSorted())
  })

  test('do not come from making, renaming and deleting all at once', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const ids: number[] = []
    const work = async (turn: number) => {
      for (let count = 0; count < 8; count++) {
        const made = await app.put(ann, `${assets}?name=f${count % 3}`, `${turn}`, OCTETS)
        ids.push(made.body.id)
        const id = ids[Math.floor(Math.random() * ids.length)]
        const action = count % 2 === 0 ? 'DELETE' : 'PATCH'
        await app.send(ann, action, `${assets}/${id}`, { name: `f${turn}` })
      }
    }

    await Promise.all([1, 2, 3, 4].map(work))
    app.passTime(2 * 86_400)
    await sweepAttachments(app.ctx)

    const rows = await app.ctx.db.selectFrom('attachment').select('uuid').execute()
    const named = rows.map(({ uuid }) => keyOf(uuid)).sort()
    assert.deepEqual((await storedKeys(app)).toSorted(), named)
  })
})
