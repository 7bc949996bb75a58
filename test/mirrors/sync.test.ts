import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/config/config.ts'
import { updateMirrors } from '../../src/mirrors/queue.ts'
import type { TestApp } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import {
  addFile,
  foldersOf,
  listCommands,
  listenSilently,
  refsOf,
  startMirrorHost,
} from './support.ts'

/** The same with a mirror of bob's. */
async function start(t: TestContext, options: object = {}, changes: ConfigChanges = {}) {
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

async function feedOf(app: TestApp, path: string): Promise<string[]> {
  const { body } = await app.get(undefined, `/repos/${path}/activities/feeds`)
  return (body as { op_type: string; ref_name: string }[]).map(
    ({ op_type, ref_name }) => `${op_type} ${ref_name}`,
  )
}

async function mirrorRow({ ctx }: TestApp) {
  return ctx.db.selectFrom('mirror').selectAll().executeTakeFirstOrThrow()
}

suite('a mirror', () => {
  test('brings in what its remote has, and says what came', async (t) => {
    const { host, app, ann, sync, read } = await start(t)
    const first = await read()
    const units = Object.keys(first).filter((key) => key.startsWith('has_') && first[key] === false)
    assert.deepEqual(units, ['has_pull_requests', 'has_actions'])
    app.passTime(60)
    await sync()
    const unchanged = await read()
    await addFile(app, ann, '/repos/ann/source/contents/a.txt')
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    await app.post(ann, '/repos/ann/source/tags', { tag_name: 'v1' })
    app.passTime(60)
    await sync()
    const changed = await read()
    const created = await feedOf(app, 'bob/copy')
    await app.delete(ann, '/repos/ann/source/branches/dev')
    await app.delete(ann, '/repos/ann/source/tags/v1')
    await sync()

    assert.partialDeepStrictEqual(first, {
      mirror: true,
      has_actions: false,
      has_pull_requests: false,
    })
    assert.equal(first.mirror_interval, '8h0m0s')
    assert.partialDeepStrictEqual(first.mirror_status, {
      state: 'ok',
      last_error: '',
      failures: 0,
      paused: false,
    })
    assert.equal(unchanged.mirror_updated, first.mirror_updated)
    assert.ok(unchanged.mirror_last_sync_at > first.mirror_last_sync_at)
    assert.ok(changed.mirror_updated > first.mirror_updated)
    assert.equal(changed.branch_count, 2)
    assert.deepEqual(created.sort(), [
      'create_repo ',
      'mirror_sync_create refs/heads/dev',
      'mirror_sync_create refs/tags/v1',
      'mirror_sync_push refs/heads/dev',
      'mirror_sync_push refs/heads/main',
      'mirror_sync_push refs/tags/v1',
    ])
    const deleted = (await feedOf(app, 'bob/copy')).filter((line) => line.includes('delete')).sort()
    assert.deepEqual(deleted, [
      'mirror_sync_delete refs/heads/dev',
      'mirror_sync_delete refs/tags/v1',
    ])
    const entries = await app.ctx.db
      .selectFrom('activity')
      .innerJoin('account', 'account.id', 'activity.account_id')
      .select(['activity.kind', 'content', 'account.name'])
      .where('activity.kind', 'like', 'mirror_sync_%')
      .execute()
    for (const { kind, content, name } of entries)
      assert.deepEqual([name, content !== ''], ['bob', kind === 'mirror_sync_push'], kind)
    assert.deepEqual(await refsOf(host, 'bob/copy'), ['refs/heads/main'])
    await host.assertSound('bob/copy')
  })

  test('keeps what its remote has dropped, when told so, and follows a default branch that is gone', async (t) => {
    const { host, app, ann, bob, sync, read } = await start(t)
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    await app.patch(bob, '/repos/bob/copy', { enable_prune: false })
    await sync()
    await app.delete(ann, '/repos/ann/source/branches/dev')
    await sync()
    const kept = await refsOf(host, 'bob/copy')
    await app.patch(bob, '/repos/bob/copy', { enable_prune: true })
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'trunk' })
    await app.patch(ann, '/repos/ann/source', { default_branch: 'trunk' })
    await app.delete(ann, '/repos/ann/source/branches/main')
    await sync()

    assert.deepEqual(kept, ['refs/heads/dev', 'refs/heads/main'])
    assert.partialDeepStrictEqual(await read(), { default_branch: 'trunk', branch_count: 1 })
    assert.deepEqual(await refsOf(host, 'bob/copy'), ['refs/heads/trunk'])
  })

  test('tells webhooks what came, in the name of its owner', async (t) => {
    const { app, ann, bob, sync } = await start(t)
    const hook = {
      type: 'gitea',
      active: true,
      events: ['push', 'create', 'delete'],
      config: { url: 'http://127.0.0.1:9/', content_type: 'json' },
    }
    assertStatus(await app.post(bob, '/repos/bob/copy/hooks', hook), 201)
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })

    await sync()

    const told = await app.ctx.db
      .selectFrom('webhook_delivery')
      .select(['kind', 'payload'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['create', 'push'],
    )
    assert.equal(JSON.parse(told[1]?.payload ?? '').pusher.login, 'bob')
  })

  test('that fails says so, is tried ever more slowly, and stays what it was', async (t) => {
    const { host, app, ann, bob, sync, read } = await start(t)
    await app.patch(ann, '/repos/ann/source', { private: true })
    const before = await refsOf(host, 'bob/copy')

    await sync()
    const failed = await read()
    await sync()
    const again = await read()
    const strange = await app.get(undefined, '/repos/bob/copy')
    await app.patch(ann, '/repos/ann/source', { private: false })
    await sync()

    assert.partialDeepStrictEqual(failed.mirror_status, { state: 'failing', failures: 1 })
    assert.match(failed.mirror_status.last_error, /^fatal: could not read Username/)
    assert.equal(again.mirror_status.failures, 2)
    assert.ok(again.mirror_status.next_attempt > failed.mirror_status.next_attempt)
    assert.equal(strange.body.mirror_status.last_error, '')
    assert.deepEqual(await refsOf(host, 'bob/copy'), before)
    assertStatus(await app.get(bob, '/repos/bob/copy/contents/README.md'), 200)
    assert.partialDeepStrictEqual((await read()).mirror_status, {
      state: 'ok',
      failures: 0,
      last_error: '',
    })
  })

  test('is synchronised when its time has come, once, and not while it is paused', async (t) => {
    const { app, ann, bob, read } = await start(t)
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
    const { app, bob } = await start(
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
    const { app, sync } = await start(t)
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
    const { app, bob } = await start(t)
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
    const { app, bob } = await start(t)
    const silent = await listenSilently(t)
    await app.ctx.db.updateTable('mirror').set({ address: silent.url }).execute()
    await app.post(bob, '/repos/bob/copy/mirror-sync')
    const work = app.ctx.jobs.runDue()
    const closed = once(await silent.reached, 'close')

    assertStatus(await app.delete(bob, '/repos/bob/copy'), 204)
    await closed
    await work

    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
    assert.equal(foldersOf(app), 1)
  })

  test('goes with its repository', async (t) => {
    const { app, bob, sync } = await start(t)
    await app.post(bob, '/repos/bob/copy/mirror-sync')
    assertStatus(await app.delete(bob, '/repos/bob/copy'), 204)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await app.ctx.db.selectFrom('mirror').selectAll().execute(), [])
    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
    await assert.rejects(sync())
  })

  test('is found as one, forked as none, and not written to', async (t) => {
    const { host, app, ann, bob } = await start(t, { auth_username: 'x', auth_password: 'y' })
    const work = await host.client.makeRepository()

    const found = await app.get(bob, '/repos/search?mode=mirror')
    const fork = await app.post(ann, '/repos/bob/copy/forks', { name: 'fork' })
    const pushed = await host.client.run(
      ['push', host.urlFor('bob', 'bob/copy.git'), 'HEAD:refs/heads/x'],
      work,
    )

    assert.deepEqual(
      found.body.data.map(({ name }: { name: string }) => name),
      ['copy'],
    )
    assert.partialDeepStrictEqual(fork.body, { mirror: false, original_url: '' })
    assert.notEqual(pushed.code, 0)
    const content = Buffer.from('x').toString('base64')
    assertStatus(await app.post(bob, '/repos/bob/copy/contents/x.txt', { content }), 423)
    assertStatus(await app.post(bob, '/repos/bob/copy/branches', { new_branch_name: 'x' }), 403)
  })
})

suite('POST /repos/{owner}/{repo}/mirror-sync', () => {
  test('is for those who write to a mirror', async (t) => {
    const { app, ann, bob } = await start(t)
    await app.post(ann, '/user/repos', { name: 'archived' })
    await app.patch(ann, '/repos/ann/archived', { archived: true })
    const path = '/repos/bob/copy/mirror-sync'

    const queued = await app.post(bob, path)

    assert.deepEqual([queued.status, queued.text], [200, ''])
    assertError(await app.post(ann, path), 403)
    assertError(await app.post(undefined, path), 401, 'token is required')
    assertError(await app.post(bob, '/repos/bob/none/mirror-sync'), 404)
    assertError(
      await app.post(ann, '/repos/ann/source/mirror-sync'),
      400,
      'Repository is not a mirror',
    )
    assertError(await app.post(ann, '/repos/ann/archived/mirror-sync'), 423, 'repo is archived')
  })
})

suite('PATCH of a mirror', () => {
  test('changes its interval, and takes only good ones', async (t) => {
    const { app, ann, bob, read } = await start(t)
    const edit = (change: object) => app.patch(bob, '/repos/bob/copy', change)
    const good = {
      '90m': '1h30m0s',
      '10m': '10m0s',
      '8h30m': '8h30m0s',
      '0': '0s',
      '0h': '0s',
      '1.5h': '1h30m0s',
    }
    const below = (shown: string) =>
      `invalid mirror interval: ${shown} is below minimum interval: 10m0s`
    const bad = {
      abc: 'time: invalid duration "abc"',
      '': 'time: invalid duration ""',
      '10': 'time: missing unit in duration "10"',
      '5m': below('5m0s'),
      '-1h': below('-1h0m0s'),
      '1ns': below('1ns'),
      '9000h': 'invalid mirror interval: 9000h0m0s is longer than a year',
    }

    for (const [mirror_interval, shown] of Object.entries(good)) {
      const answer = await edit({ mirror_interval })
      assertStatus(answer, 200)
      assert.equal(answer.body.mirror_interval, shown)
    }
    await edit({ mirror_interval: '20m' })
    for (const [mirror_interval, message] of Object.entries(bad)) {
      assertError(await edit({ mirror_interval }), 422, message)
    }
    assertError(await edit({ description: 'kept', mirror_interval: 'x' }), 422)

    assert.partialDeepStrictEqual(await read(), { mirror_interval: '20m0s', description: 'kept' })
    const next = Date.parse((await read()).mirror_status.next_attempt) / 1000
    assert.ok(Math.abs(next - app.ctx.now() - 1200) < 60)
    assertStatus(
      await app.patch(ann, '/repos/ann/source', { mirror_interval: 'x', enable_prune: true }),
      200,
    )
    assert.equal((await app.get(ann, '/repos/ann/source')).body.mirror_interval, '')
  })

  test('changes who we are there, and archives nothing', async (t) => {
    const { app, ann, bob, sync, read } = await start(t)
    await app.patch(ann, '/repos/ann/source', { private: true })
    const edit = (change: object) => app.patch(bob, '/repos/bob/copy', change)
    const state = async () => (await read()).mirror_status.state

    assertStatus(await edit({ mirror_username: 'ann', mirror_password: 'password1' }), 200)
    await sync()
    assert.equal(await state(), 'ok')
    await edit({ mirror_username: 'ann' })
    await sync()
    assert.equal(await state(), 'ok')
    await edit({ mirror_username: 'bob' })
    await sync()
    assert.equal(await state(), 'failing')
    const { text } = await edit({
      mirror_username: 'ann',
      mirror_password: 'x',
      mirror_token: 'password1',
    })
    await sync()
    assert.equal(await state(), 'ok')

    assert.ok(!text.includes('password1'))
    assert.ok(!JSON.stringify(await mirrorRow(app)).includes('password1'))
    for (const archived of [true, false]) {
      const body = { archived, description: `${archived}`, mirror_interval: '0' }
      assertError(await edit(body), 422, 'repo is a mirror, cannot archive/un-archive')
      assert.partialDeepStrictEqual(await read(), {
        description: `${archived}`,
        mirror_interval: '8h0m0s',
      })
    }
    assertError(await edit({ mirror_password: 'a\nb' }), 422)
    assertStatus(await app.put(bob, '/repos/bob/copy/topics', { topics: ['kept'] }), 204)
    const renamed = await edit({ name: 'other', description: 'new' })
    assert.partialDeepStrictEqual(renamed.body, {
      full_name: 'bob/other',
      description: 'new',
      mirror: true,
      mirror_interval: '8h0m0s',
      topics: ['kept'],
    })
    assert.match(renamed.body.original_url, /\/ann\/source\.git$/)
    assertStatus(await app.post(bob, '/repos/bob/other/mirror-sync'), 200)
    assertStatus(await app.delete(bob, '/repos/bob/other'), 204)
  })
})
