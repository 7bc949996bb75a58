import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { updateMirrors } from '../../../src/code/mirrors/queue.ts'
import { PASSWORD } from '../../support/app.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addFile, listenSilently, refsOf, startMirrorHost } from './support.ts'

const mirrors = '/repos/ann/source/push_mirrors'

async function start(t: TestContext, changes: ConfigChanges = {}) {
  const started = await startMirrorHost(t, changes)
  const { host, app, ann } = started
  assertStatus(await app.post(ann, '/user/repos', { name: 'target' }), 201)
  const good = {
    remote_address: host.url('ann/target.git'),
    remote_username: 'ann',
    remote_password: PASSWORD,
    interval: '8h',
  }
  return { ...started, good }
}

suite('/repos/{owner}/{repo}/push_mirrors', () => {
  test('are added, listed, read and removed, without their credentials', async (t) => {
    const { app, ann, good } = await start(t)
    const inAddress = good.remote_address.replace('//', '//ann:hunter2@')

    const made = await app.post(ann, mirrors, { ...good, sync_on_commit: true })
    const other = await app.post(ann, mirrors, { remote_address: inAddress, interval: '0' })
    const list = await app.get(ann, mirrors)
    const name = made.body.remote_name as string
    const read = await app.get(ann, `${mirrors}/${name}`)

    assertStatus(made, 200)
    assert.deepEqual(made.body, {
      repo_name: 'source',
      remote_name: name,
      remote_address: good.remote_address,
      created: made.body.created,
      last_update: null,
      last_error: '',
      interval: '8h0m0s',
      sync_on_commit: true,
    })
    assert.match(name, /^remote_mirror_\w+$/)
    assert.partialDeepStrictEqual(other.body, {
      remote_address: good.remote_address,
      interval: '0s',
      sync_on_commit: false,
    })
    assert.deepEqual(list.body, [made.body, other.body])
    assert.equal(list.headers['x-total-count'], '2')
    assert.deepEqual((await app.get(ann, `${mirrors}?limit=1&page=2`)).body, [other.body])
    assert.deepEqual(read.body, made.body)
    const kept = JSON.stringify(await app.ctx.db.selectFrom('push_mirror').selectAll().execute())
    for (const secret of [PASSWORD, 'hunter2']) assert.ok(!kept.includes(secret))
    for (let round = 0; round < 2; round++)
      assertStatus(await app.delete(ann, `${mirrors}/${name}`), 204)
    assertError(await app.get(ann, `${mirrors}/${name}`), 404)
    assert.equal((await app.get(ann, mirrors)).body.length, 1)
  })

  test('are refused when something is wrong with them', async (t) => {
    const { app, ann, good } = await start(t)
    const cases: [object, number, string | RegExp][] = [
      [{ interval: 'often' }, 400, 'time: invalid duration "often"'],
      [{ interval: '' }, 400, 'time: invalid duration ""'],
      [{ interval: null }, 400, 'time: invalid duration ""'],
      [{ interval: '1s' }, 400, /below minimum interval/],
      [{ interval: '9000h' }, 400, /longer than a year/],
      [{ remote_address: '' }, 400, 'The provided URL is invalid.'],
      [{ remote_address: null }, 400, 'The provided URL is invalid.'],
      [{ remote_address: 'ssh://example.org/x' }, 400, 'The provided URL is invalid.'],
      [
        { remote_address: 'http://169.254.169.254/x' },
        400,
        'You can not import from disallowed hosts.',
      ],
      [{ remote_address: '/etc' }, 401, 'You are not allowed to import local repositories.'],
      [{ remote_password: 'a\nb' }, 400, 'The provided URL is invalid.'],
      [{ sync_on_commit: 'yes' }, 422, /cannot read/],
    ]

    for (const [change, status, message] of cases) {
      assertError(await app.post(ann, mirrors, { ...good, ...change }), status, message)
    }
    assert.deepEqual((await app.get(ann, mirrors)).body, [])
  })

  test('are for administrators of a repository, and added to no archived one', async (t) => {
    const { app, ann, bob, good } = await start(t)
    await app.put(ann, '/repos/ann/source/collaborators/bob', { permission: 'write' })
    const paths = [mirrors, `${mirrors}/x`]

    for (const path of paths) {
      assertError(await app.get(bob, path), 403, /admin write/)
      assertError(await app.get(undefined, path), 401, 'token is required')
    }
    assertError(await app.post(bob, mirrors, good), 403)
    assertError(await app.post(bob, `${mirrors}-sync`), 403)
    assertError(await app.delete(bob, `${mirrors}/x`), 403)
    assertError(await app.get(ann, '/repos/ann/none/push_mirrors'), 404)
    await app.patch(ann, '/repos/ann/source', { archived: true })
    assertError(await app.post(ann, mirrors, good), 423, 'repo is archived')
    assertError(await app.post(ann, `${mirrors}-sync`), 423, 'repo is archived')
    assertError(await app.delete(ann, `${mirrors}/x`), 423, 'repo is archived')
    assertStatus(await app.get(ann, mirrors), 200)
  })

  test('reach nothing inside unless the server is told so, and none where mirrors are switched off', async (t) => {
    const silent = await listenSilently(t)
    const { app, ann, good } = await start(t, { network: {} })
    const off = await start(t, { mirror: { enabled: false } })

    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::1]', 'codestead.test']) {
      const remote_address = `http://${host}:${silent.port}/x.git`
      const answer = await app.post(ann, mirrors, { ...good, remote_address })
      assertError(answer, 400, 'You can not import from disallowed hosts.')
    }
    assertError(await off.app.post(off.ann, mirrors, off.good), 400, 'Mirror feature is disabled')
    assert.equal(silent.sockets.length, 0)
  })
})

suite('POST /repos/{owner}/{repo}/push_mirrors-sync', () => {
  test('pushes everything while the caller waits, also what is gone', async (t) => {
    const { host, app, ann, good } = await start(t)
    await app.post(ann, mirrors, good)
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    await app.post(ann, '/repos/ann/source/tags', { tag_name: 'v1' })

    const first = await app.post(ann, `${mirrors}-sync`)
    const pushed = await refsOf(host, 'ann/target')
    await app.delete(ann, '/repos/ann/source/branches/dev')
    await app.post(ann, `${mirrors}-sync`)

    assert.deepEqual([first.status, first.text], [200, ''])
    assert.deepEqual(pushed, ['refs/heads/dev', 'refs/heads/main', 'refs/tags/v1'])
    assert.deepEqual(await refsOf(host, 'ann/target'), ['refs/heads/main', 'refs/tags/v1'])
    const [mirror] = (await app.get(ann, mirrors)).body
    assert.match(mirror.last_update, /^20/)
    assert.equal((await app.get(ann, '/repos/ann/target')).body.empty, false)
  })

  test('leaves what somebody else has changed there, and says so', async (t) => {
    const { host, app, ann, good } = await start(t)
    await app.post(ann, mirrors, good)
    assertStatus(await app.post(ann, `${mirrors}-sync`), 200)
    const target = '/repos/ann/target/contents/theirs.txt'
    const theirs = await app.post(ann, target, { content: 'eA==' })
    await app.post(ann, '/repos/ann/target/branches', { new_branch_name: 'theirs' })
    const tip = async () => (await app.get(ann, '/repos/ann/target/branches/main')).body.commit.id

    await app.post(ann, '/repos/ann/source/contents/ours.txt', { content: 'eQ==' })
    const refused = await app.post(ann, `${mirrors}-sync`)

    assert.equal(refused.status, 422)
    const [mirror] = (await app.get(ann, mirrors)).body
    assert.match(
      mirror.last_error,
      /changed by somebody else.*: refs\/heads\/main, refs\/heads\/theirs/,
    )
    assert.equal(await tip(), theirs.body.commit.sha)

    // Somebody takes back what they did there.
    await app.delete(ann, '/repos/ann/target/branches/theirs')
    const folder = await host.folderOf('ann/target')
    execFileSync('git', ['update-ref', 'refs/heads/main', 'refs/heads/main~1'], { cwd: folder })
    assertStatus(await app.post(ann, `${mirrors}-sync`), 200)
    const source = (await app.get(ann, '/repos/ann/source/branches/main')).body
    assert.equal(await tip(), source.commit.id)
    assert.equal((await app.get(ann, mirrors)).body[0].last_error, '')
  })

  test('names those that failed, with the reason on each', async (t) => {
    const { app, ann, good } = await start(t)
    const bad = await app.post(ann, mirrors, { ...good, remote_password: 'hunter2' })
    await app.post(ann, mirrors, good)

    const answer = await app.post(ann, `${mirrors}-sync`)

    assertError(answer, 422, `error syncing push mirrors: ${bad.body.remote_name}`)
    const { body } = await app.get(ann, mirrors)
    assert.match(body[0].last_error, /^fatal: Authentication failed/)
    assert.equal(body[1].last_error, '')
    assert.ok(!JSON.stringify(body).includes('hunter2'))
  })

  test('leaves one that is busy to its job', async (t) => {
    const { app, ann, good } = await start(t)
    await app.post(ann, mirrors, good)
    await app.ctx.db
      .updateTable('push_mirror')
      .set({ lease_until: app.ctx.now() + 100 })
      .execute()

    assertStatus(await app.post(ann, `${mirrors}-sync`), 200)
    assertStatus(await app.post(ann, `${mirrors}-sync`), 200)
    const jobs = await app.ctx.db
      .selectFrom('job')
      .selectAll()
      .where('lane', '=', 'mirrors')
      .execute()
    app.passTime(110)
    await app.ctx.jobs.runDue()

    assert.equal(jobs.length, 1)
    assert.match((await app.get(ann, mirrors)).body[0].last_update, /^20/)
  })
})

suite('a push mirror', () => {
  test('follows every change when it is told to, and is left alone when nothing moved', async (t) => {
    const { app, ann, good } = await start(t)
    await app.post(ann, mirrors, { ...good, sync_on_commit: true })
    await addFile(app, ann, '/repos/ann/source/contents/a.txt')
    await app.ctx.jobs.runDue()
    const first = (await app.get(ann, mirrors)).body[0].last_update as string

    app.passTime(60)
    await app.ctx.jobs.enqueue(app.ctx.db, 'measure_repository', { id: 1 })
    await app.ctx.jobs.runDue()
    const idle = (await app.get(ann, mirrors)).body[0].last_update as string
    await addFile(app, ann, '/repos/ann/source/contents/b.txt')
    await app.ctx.jobs.runDue()

    assert.match(first, /^20/)
    assert.equal(idle, first)
    assert.ok((await app.get(ann, mirrors)).body[0].last_update > first)
    assertStatus(await app.get(ann, '/repos/ann/target/contents/b.txt'), 200)
  })

  test('is pushed to when its time has come, and again after a failure', async (t) => {
    const { app, ann, good } = await start(t)
    const paused = await app.post(ann, mirrors, { ...good, interval: '0' })
    await app.post(ann, mirrors, { ...good, remote_password: 'wrong' })

    app.passTime(8 * 3600 + 300)
    await Promise.all([updateMirrors(app.ctx), updateMirrors(app.ctx)])
    await app.ctx.jobs.runDue()
    const failed = (await app.get(ann, mirrors)).body[1]
    app.passTime(700)
    await updateMirrors(app.ctx)
    await app.ctx.jobs.runDue()
    const { failures } = await app.ctx.db
      .selectFrom('push_mirror')
      .select('failures')
      .where('last_error', '<>', '')
      .executeTakeFirstOrThrow()

    assert.match(failed.last_error, /^fatal: Authentication failed/)
    assert.equal(failures, 2)
    assert.equal(
      (await app.get(ann, `${mirrors}/${paused.body.remote_name}`)).body.last_update,
      null,
    )
  })

  test('whose repository cannot be read says so, and waits for its next time', async (t) => {
    const { host, app, ann, good } = await start(t)
    await app.post(ann, mirrors, good)
    const folder = await host.folderOf('ann/source')
    const head = join(folder, 'HEAD')
    const known = readFileSync(head)
    writeFileSync(head, 'broken')
    const sync = async () => {
      app.passTime(8 * 3600 + 300)
      await updateMirrors(app.ctx)
      await app.ctx.jobs.runDue()
    }

    for (let round = 0; round < 3; round++) await sync()
    const jobs = await app.ctx.db
      .selectFrom('job')
      .select('id')
      .where('lane', '=', 'mirrors')
      .execute()
    const [failed] = (await app.get(ann, mirrors)).body
    assertError(await app.post(ann, `${mirrors}-sync`), 422, /^error syncing push mirrors/)
    writeFileSync(head, known)
    await sync()

    assert.deepEqual(jobs, [])
    assert.equal(failed.last_error, "fatal: not a git repository: 'the repository'")
    assert.equal((await app.get(ann, mirrors)).body[0].last_error, '')
    assert.deepEqual(await refsOf(host, 'ann/target'), ['refs/heads/main'])
  })

  test('of an empty repository takes nothing away from its remote', async (t) => {
    const { host, app, ann } = await start(t)
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    await app.post(ann, '/repos/ann/target/push_mirrors', {
      remote_address: host.url('ann/source.git'),
      remote_username: 'ann',
      remote_password: PASSWORD,
      interval: '8h',
    })

    assertStatus(await app.post(ann, '/repos/ann/target/push_mirrors-sync'), 200)

    assert.deepEqual(await refsOf(host, 'ann/source'), ['refs/heads/dev', 'refs/heads/main'])
  })

  test('whose repository is removed while git reads it takes nothing away from its remote', async (t) => {
    const { host, failAt } = await startFailingGit(t, { network: { allow_private: true } })
    const { app } = host
    const [ann, pause] = [await app.addCaller('ann'), new Pause(host)]
    await app.post(ann, '/user/repos', { name: 'source', auto_init: true })
    await app.post(ann, '/user/repos', { name: 'target' })
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    const remote_address = host.url('ann/target.git')
    const access = { remote_username: 'ann', remote_password: PASSWORD }
    await app.post(ann, mirrors, { remote_address, ...access, interval: '8h' })
    assertStatus(await app.post(ann, `${mirrors}-sync`), 200)
    const folder = await host.folderOf('ann/source')

    failAt('for-each-ref', { begins: pause.lines })
    const sync = app.post(ann, `${mirrors}-sync`)
    await pause.begun()
    assertStatus(await app.delete(ann, '/repos/ann/source'), 204)
    // So does the job that follows, and may be half through.
    rmSync(join(folder, 'refs/heads/dev'))
    pause.end()

    assertStatus(await sync, 422)
    assert.deepEqual(await refsOf(host, 'ann/target'), ['refs/heads/dev', 'refs/heads/main'])
  })
})
