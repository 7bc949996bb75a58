import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateMirrors } from '../../../src/code/mirrors/queue.ts'
import { assertStatus } from '../../support/expect.ts'
import {
  mirrorRow,
  startWithMirror,
  addFile,
  foldersOf,
  listCommands,
  listenSilently,
} from './support.ts'

suite('a mirror and its turn', () => {
  test('is synchronised when its time has come, once, and not while it is paused', async (t) => {
    const { app, ann, bob, read } = await startWithMirror(t)
    await addFile(app, ann, '/repos/ann/source/contents/a.txt')
    const { mirror_updated: before } = await read()
    await updateMirrors(app.ctx)
    assert.equal((await read()).mirror_status.state, 'ok')

    app.passTime(8 * 3600 + 300)
    await Promise.all([updateMirrors(app.ctx), updateMirrors(app.ctx)])
    const jobs = await app.ctx.db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', 'sync_mirror')
      .execute()
    const queued = await read()
    await app.ctx.jobs.runDue()
    const synced = await read()
    await app.patch(bob, '/repos/bob/copy', { mirror_interval: '0' })
    app.passTime(400 * 86_400)
    await updateMirrors(app.ctx)

    assert.equal(jobs.length, 1)
    assert.equal(queued.mirror_status.state, 'queued')
    assert.ok(synced.mirror_updated > before)
    assert.deepEqual((await read()).mirror_status, {
      state: 'ok',
      last_error: '',
      failures: 0,
      next_attempt: null,
      paused: true,
    })
  })

  test('waits while its host is asked by as many as may, or somebody works on it', async (t) => {
    const { app, bob } = await startWithMirror(
      t,
      {},
      { network: { allow_private: true }, mirror: { per_host: 1 } },
    )
    await app.ctx.db
      .updateTable('mirror')
      .set({ lease_until: app.ctx.now() + 100 })
      .execute()

    assertStatus(await app.post(bob, '/repos/bob/copy/mirror-sync'), 200)
    assertStatus(await app.post(bob, '/repos/bob/copy/mirror-sync'), 200)
    await app.ctx.jobs.runDue()
    const waiting = await app.ctx.db.selectFrom('job').selectAll().execute()
    app.passTime(110)
    await app.ctx.jobs.runDue()

    assert.deepEqual(
      waiting.map(({ kind }) => kind),
      ['sync_mirror'],
    )
    assert.partialDeepStrictEqual(await mirrorRow(app), {
      is_queued: 0,
      lease_until: 0,
      failures: 0,
    })
    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('whose address is not allowed any more is left alone', async (t) => {
    const { app, sync } = await startWithMirror(t)
    const silent = await listenSilently(t)
    const bad = [
      'http://169.254.169.254/x',
      'file:///etc',
      'ext::sh -c id',
      `http://0.0.0.0:${silent.port}/x`,
    ]

    for (const [index, address] of bad.entries()) {
      await app.ctx.db.updateTable('mirror').set({ address }).execute()
      await sync()
      assert.equal((await mirrorRow(app)).failures, index + 1, address)
    }
    assert.equal(silent.sockets.length, 0)
  })

  test('shows no command line its credentials, and is handed back when the server stops', async (t) => {
    const { app, bob } = await startWithMirror(t)
    const silent = await listenSilently(t)
    await app.patch(bob, '/repos/bob/copy', { mirror_username: 'u', mirror_password: 'hunter2' })
    await app.ctx.db.updateTable('mirror').set({ address: silent.url }).execute()
    app.ctx.jobs.start()
    assertStatus(await app.post(bob, '/repos/bob/copy/mirror-sync'), 200)
    await silent.reached
    const commands = listCommands()

    await app.ctx.jobs.stop()

    assert.ok(commands.some((command) => command.includes(silent.url)))
    assert.ok(commands.every((command) => !command.includes('hunter2')))

    assert.partialDeepStrictEqual(await mirrorRow(app), {
      is_queued: 1,
      lease_until: 0,
      failures: 0,
    })
    const [job] = await app.ctx.db.selectFrom('job').selectAll().execute()
    assert.partialDeepStrictEqual(job, { kind: 'sync_mirror', lease_until: 0 })
  })

  test('is let go when its repository is deleted meanwhile', async (t) => {
    const { app, bob } = await startWithMirror(t)
    const silent = await listenSilently(t)
    await app.ctx.db.updateTable('mirror').set({ address: silent.url }).execute()
    await app.post(bob, '/repos/bob/copy/mirror-sync')
    const work = app.ctx.jobs.runDue()
    await silent.reached

    assertStatus(await app.delete(bob, '/repos/bob/copy'), 204)
    await silent.left
    await work

    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
    assert.equal(foldersOf(app), 1)
  })
})
