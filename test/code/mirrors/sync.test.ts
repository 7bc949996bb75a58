import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { unpack } from '../../../src/events/webhooks/packed.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { feedOf, startWithMirror, addFile, refsOf } from './support.ts'

suite('a mirror', () => {
  test('leaves out, each time, what no push may make', async (t) => {
    const { host, app, ann, sync, read } = await startWithMirror(t)
    await addFile(app, ann, '/repos/ann/source/contents/a.txt')
    const source = await host.folderOf('ann/source')
    for (const ref of ['refs/heads/-odd', 'refs/tags/a/--b', 'refs/heads/fine'])
      await host.client.git(['--git-dir', source, 'update-ref', ref, 'refs/heads/main'])

    for (let time = 0; time < 2; time++) {
      app.passTime(60)
      await sync()

      assert.deepEqual(await refsOf(host, 'bob/copy'), ['refs/heads/fine', 'refs/heads/main'])
      assert.equal((await read()).mirror_status.state, 'ok')
    }
    const told = await feedOf(app, 'bob/copy')
    assert.ok(!told.some((line) => line.includes('--b') || line.includes('-odd')), told.join())
  })

  test('brings in what its remote has, and says what came', async (t) => {
    const { host, app, ann, sync, read } = await startWithMirror(t)
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
    const { host, app, ann, bob, sync, read } = await startWithMirror(t)
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

  test('keeps what it has when its remote shows nothing any more, and says so', async (t) => {
    const { host, app, ann, sync, read } = await startWithMirror(t)
    await app.delete(ann, '/repos/ann/source')
    assertStatus(await app.post(ann, '/user/repos', { name: 'source' }), 201)

    await sync()
    const [kept, failed] = [await refsOf(host, 'bob/copy'), (await read()).mirror_status]
    await addFile(app, ann, '/repos/ann/source/contents/a.txt', { branch: 'new' })
    await sync()

    assert.deepEqual(kept, ['refs/heads/main'])
    assert.deepEqual(
      [failed.state, failed.last_error],
      ['failing', 'fatal: the remote shows no references'],
    )
    assert.deepEqual(await refsOf(host, 'bob/copy'), ['refs/heads/new'])
    assert.equal((await read()).mirror_status.state, 'ok')
  })

  test('tells webhooks what came, in the name of its owner', async (t) => {
    const { app, ann, bob, sync } = await startWithMirror(t)
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
      .innerJoin('webhook_payload', 'webhook_payload.id', 'webhook_delivery.payload_id')
      .select(['kind', 'content'])
      .orderBy('webhook_delivery.id')
      .execute()
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['create', 'push'],
    )
    assert.equal(JSON.parse(unpack(told[1]?.content ?? '')).pusher.login, 'bob')
  })

  test('that fails says so, is tried ever more slowly, and stays what it was', async (t) => {
    const { host, app, ann, bob, sync, read } = await startWithMirror(t)
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

  test('knows what came before the server died', async (t) => {
    const { host, app, ann, sync, read } = await startWithMirror(t)
    await sync()
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    const [from, to] = [await host.folderOf('ann/source'), await host.folderOf('bob/copy')]
    await host.client.git(['--git-dir', to, 'fetch', '--quiet', from, 'refs/heads/*:refs/heads/*'])
    assert.equal((await read()).branch_count, 1)

    await sync()

    assert.equal((await read()).branch_count, 2)
  })

  test('keeps to the interval that it was given while it was brought up to date', async (t) => {
    const { app, bob, sync, read } = await startWithMirror(t)
    const path = '/repos/bob/copy'
    assertStatus(await app.patch(bob, path, { mirror_interval: '0s' }), 200)
    const { git } = app.ctx
    const start = git.start.bind(git)
    const mocked = t.mock.method(git, 'start', async (...given: Parameters<typeof start>) => {
      if (given[1].includes('fetch')) {
        mocked.mock.restore()
        assertStatus(await app.patch(bob, path, { mirror_interval: '10m0s' }), 200)
      }
      return start(...given)
    })

    await sync()

    const { mirror_interval, mirror_status } = await read()
    assert.equal(mirror_interval, '10m0s')
    assert.notEqual(mirror_status.next_attempt, null)
  })

  test('goes with its repository', async (t) => {
    const { app, bob, sync } = await startWithMirror(t)
    await app.post(bob, '/repos/bob/copy/mirror-sync')
    assertStatus(await app.delete(bob, '/repos/bob/copy'), 204)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await app.ctx.db.selectFrom('mirror').selectAll().execute(), [])
    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
    await assert.rejects(sync())
  })

  test('is found as one, forked as none, and not written to', async (t) => {
    const { host, app, ann, bob } = await startWithMirror(t, {
      auth_username: 'x',
      auth_password: 'y',
    })
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
    const { app, ann, bob } = await startWithMirror(t)
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
