import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { sweepFolders } from '../../../src/repositories/repository/sweep.ts'
import { startApp } from '../../support/app.ts'
import { machineOf } from '../../support/terminal.ts'

async function withRepository(t: TestContext) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  await app.post(ann, '/user/repos', { name: 'r' })
  const doctor = (...options: string[]) => machineOf(app).admin(['doctor', ...options])
  return { app, ann, doctor }
}

suite('admin doctor, of repositories', () => {
  test('recounts stars, watches, forks and topics', async (t) => {
    const { app, ann, doctor } = await withRepository(t)
    await app.put(ann, '/user/starred/ann/r')
    await app.put(ann, '/repos/ann/r/topics', { topics: ['web'] })
    await app.ctx.db.updateTable('topic').set({ repo_count: 7 }).execute()
    await app.ctx.db
      .updateTable('repository')
      .set({ stars_count: 5, forks_count: 2, watchers_count: 0 })
      .execute()

    const reported = await doctor()
    const mended = await doctor('--fix')

    assert.equal(reported.status, 1)
    assert.match(reported.out, /stars_count of repository \d+ is 5, should be 1/)
    assert.match(reported.out, /the topic web is used 1 times, counted 7/)
    assert.equal(mended.status, 0, mended.out)
    const { body } = await app.get(ann, '/repos/ann/r')
    assert.deepEqual([body.stars_count, body.watchers_count, body.forks_count], [1, 1, 0])
    assert.equal((await doctor()).status, 0)
  })

  test('reports a repository without its directory, and old directories without a repository', async (t) => {
    const { app, doctor } = await withRepository(t)
    const row = await app.ctx.db.selectFrom('repository').select('folder').executeTakeFirstOrThrow()
    const path = repositoryFolder(app.ctx.config, row.folder)
    const stray = repositoryFolder(app.ctx.config, randomUUID())
    // Of one that a server had begun to remove.
    const removed = repositoryFolder(app.ctx.config, randomUUID()).replace('.git', '.removed.git')
    for (const folder of [stray, removed]) mkdirSync(folder, { recursive: true })
    assert.equal((await doctor()).status, 0)

    renameSync(path, `${path}.away`)
    assert.match((await doctor()).out, /repository \d+ has no directory/)
    renameSync(`${path}.away`, path)
    for (const folder of [stray, removed]) utimesSync(folder, 1, 1)
    assert.match((await doctor()).out, /belongs to no repository/)
    await sweepFolders(app.ctx)

    assert.equal((await doctor()).status, 0)
    assert.deepEqual([path, stray, removed].map(existsSync), [true, false, false])
  })

  test('tells what git could not finish, which the server removes a day later', async (t) => {
    const { app, doctor } = await withRepository(t)
    const row = await app.ctx.db.selectFrom('repository').select('folder').executeTakeFirstOrThrow()
    const path = repositoryFolder(app.ctx.config, row.folder)
    const ofRefs = ['refs/heads/main.lock', 'packed-refs.new', 'info/refs_Ab12Cd']
    const ofPacks = ['tmp_pack_a', 'pack-a.keep'].map((name) => `objects/pack/${name}`)
    const others = ['objects/0a/tmp_obj_a', 'objects/info/packs_Ab12Cd', 'fast_import_crash_42']
    const left = [...ofRefs, ...ofPacks, ...others]
    for (const place of [
      'objects/tmp_objdir-incoming-a/pack',
      'objects/0a',
      'objects/0b',
      'info',
    ]) {
      mkdirSync(join(path, place), { recursive: true })
    }
    for (const name of [...left, 'objects/0b/tmp_obj_b']) writeFileSync(join(path, name), '')
    for (const name of [...left, 'objects/tmp_objdir-incoming-a']) {
      utimesSync(join(path, name), 1, 1)
    }

    const { out } = await doctor()
    await sweepFolders(app.ctx)

    for (const name of [...left, 'objects/tmp_objdir-incoming-a']) {
      assert.ok(out.includes(`${name} is not finished`), out)
      assert.equal(existsSync(join(path, name)), false, name)
    }
    assert.equal(existsSync(join(path, 'objects/0b/tmp_obj_b')), true)
    assert.equal((await doctor()).status, 0)
  })
})
