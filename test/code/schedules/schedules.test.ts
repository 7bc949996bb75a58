import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { closeObjects } from '../../../src/platform/git/object-pool.ts'
import { nextTime } from '../../../src/code/schedules/cron.ts'
import { startScheduledRuns } from '../../../src/code/schedules/start.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const actions = '/repos/ann/r/actions'

async function start(t: TestContext) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'r' }), 201)
  return { app, ann }
}

async function put(
  app: TestApp,
  who: TestCaller,
  path: string,
  text: string,
  options: object = {},
) {
  const content = Buffer.from(text).toString('base64')
  const answer = await app.post(who, `/repos/ann/r/contents/${path}`, { content, ...options })
  assertStatus(answer, 201)
  await app.ctx.jobs.runDue()
  return answer.body.commit.sha as string
}

const daily = 'name: Nightly\non:\n  schedule:\n    - cron: "0 3 * * *"\n    - cron: "@hourly"\n'

async function cronsOf(app: TestApp, who: TestCaller): Promise<string[]> {
  const { body } = await app.get(who, `${actions}/schedules`)
  return (body.schedules as { cron: string }[]).map(({ cron }) => cron)
}

suite('GET /repos/{owner}/{repo}/actions/schedules', () => {
  test('lists what the workflows of the default branch ask for', async (t) => {
    const { app, ann } = await start(t)
    await put(app, ann, '.gitea/workflows/a.yml', daily)
    const sha = await put(
      app,
      ann,
      '.github/workflows/b.yaml',
      'on: {schedule: [{cron: "5 4 * * sun"}]}',
    )
    await put(app, ann, '.gitea/workflows/c.yml', 'on: {schedule: [{cron: "1 1 1 1 *"}]}', {
      new_branch: 'dev',
    })

    const { status, body, headers } = await app.get(ann, `${actions}/schedules`)

    assert.equal(status, 200)
    assert.equal(body.total_count, 3)
    assert.equal(headers['x-total-count'], '3')
    const [first, , last] = body.schedules
    assert.partialDeepStrictEqual(first, {
      name: 'Nightly',
      path: '.gitea/workflows/a.yml',
      cron: '0 3 * * *',
      last_run_at: null,
    })
    assert.match(first.next_run_at, /T03:00:00Z$/)
    assert.partialDeepStrictEqual(last, {
      name: 'b.yaml',
      path: '.github/workflows/b.yaml',
      cron: '5 4 * * sun',
      head_branch: 'main',
      head_sha: sha,
    })
    assert.equal(
      (await app.get(ann, `${actions}/schedules?limit=1&page=2`)).body.schedules.length,
      1,
    )
  })

  test('passes over files that cannot be read and times that never come', async (t) => {
    const { app, ann } = await start(t)
    const files = {
      'bad.yml': 'on: [',
      'list.yml': 'on: [push]',
      'word.yml': 'on: schedule',
      'never.yml':
        'on: {schedule: [{cron: "0 0 31 2 *"}, {cron: "often"}, {cron: "* * * * * *"}, {cron: 7}, x, {}]}',
      'twice.yml': 'on: {schedule: [{cron: "0 1 * * *"}, {cron: "0 1 * * *"}]}',
      'note.txt': daily,
    }
    const changes = Object.entries(files).map(([name, text]) => ({
      operation: 'create',
      path: `.gitea/workflows/${name}`,
      content: Buffer.from(text).toString('base64'),
    }))
    assertStatus(await app.post(ann, '/repos/ann/r/contents', { files: changes }), 201)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await cronsOf(app, ann), ['0 1 * * *'])
  })

  test('follows the branch, the archive and the unit', async (t) => {
    const { app, ann } = await start(t)
    await put(app, ann, '.gitea/workflows/a.yml', daily)
    await put(app, ann, '.gitea/workflows/b.yml', 'on: {schedule: [{cron: "1 1 1 1 *"}]}', {
      new_branch: 'dev',
    })
    const edit = async (change: object) => {
      assertStatus(await app.patch(ann, '/repos/ann/r', change), 200)
      const shown = await cronsOf(app, ann)
      await app.ctx.jobs.runDue()
      const rows = await app.ctx.db.selectFrom('action_schedule').select('id').execute()
      return { shown: shown.length, rows: rows.length }
    }

    assert.deepEqual(await edit({ archived: true }), { shown: 0, rows: 0 })
    assert.equal((await edit({ archived: false })).rows, 2)
    assert.deepEqual(await edit({ has_actions: false }), { shown: 0, rows: 0 })
    assert.equal((await edit({ has_actions: true })).rows, 2)
    assert.equal((await edit({ default_branch: 'dev' })).rows, 3)
  })

  test('fails no edit when the workflows cannot be read, and is looked for again', async (t) => {
    const { app, ann } = await start(t)
    await put(app, ann, '.gitea/workflows/a.yml', daily)
    const { folder } = await app.ctx.db
      .selectFrom('repository')
      .select('folder')
      .executeTakeFirstOrThrow()
    const config = join(repositoryFolder(app.ctx.config, folder), 'config')
    const good = readFileSync(config)
    // Git is not started on such a repository, and no reader waits.
    writeFileSync(config, '[core]\n\thooksPath = /tmp\n')
    await closeObjects(app.ctx.git)

    for (const archived of [true, false]) {
      assertStatus(await app.patch(ann, '/repos/ann/r', { archived }), 200)
      await app.ctx.jobs.runDue()
    }
    assert.deepEqual(await cronsOf(app, ann), [])
    writeFileSync(config, good)
    app.passTime(3600)
    await app.ctx.jobs.runDue()

    assert.equal((await cronsOf(app, ann)).length, 2)
  })

  test('is for those who read the unit', async (t) => {
    const { app, ann } = await start(t)
    const bob = await app.addCaller('bob')
    await app.patch(ann, '/repos/ann/r', { has_actions: false })

    for (const path of ['schedules', 'runs', 'runs/1']) {
      assertError(await app.get(bob, `${actions}/${path}`), 403)
      assertError(await app.get(bob, `/repos/ann/none/actions/${path}`), 404)
    }
    assertError(await app.get(ann, `${actions}/runs/1`), 404)
  })
})

suite('a scheduled workflow', () => {
  test('gets one run when its time has come, whoever looks', async (t) => {
    const { app, ann } = await start(t)
    const sha = await put(
      app,
      ann,
      '.gitea/workflows/a.yml',
      'name: Nightly\non: {schedule: [{cron: "@hourly"}]}',
    )
    await startScheduledRuns(app.ctx)
    assert.deepEqual((await app.get(ann, `${actions}/runs`)).body, {
      workflow_runs: [],
      total_count: 0,
    })

    app.passTime(5 * 3600)
    await Promise.all([1, 2, 3].map(() => startScheduledRuns(app.ctx)))
    app.passTime(3600)
    await startScheduledRuns(app.ctx)

    const { body } = await app.get(ann, `${actions}/runs`)
    assert.equal(body.total_count, 2)
    assert.partialDeepStrictEqual(body.workflow_runs[0], {
      display_title: 'Nightly',
      path: '.gitea/workflows/a.yml@refs/heads/main',
      event: 'schedule',
      run_number: 2,
      head_sha: sha,
      head_branch: 'main',
      status: 'queued',
      conclusion: null,
    })
    const [newest] = body.workflow_runs
    assert.deepEqual((await app.get(ann, `${actions}/runs/${newest.id}`)).body, newest)
    const counts = {
      'event=push': 0,
      'event=schedule': 2,
      'branch=x': 0,
      'status=queued': 2,
      'head_sha=0': 0,
    }
    for (const [query, count] of Object.entries(counts)) {
      assert.equal((await app.get(ann, `${actions}/runs?${query}`)).body.total_count, count, query)
    }
    const [schedule] = (await app.get(ann, `${actions}/schedules`)).body.schedules
    assert.match(schedule.last_run_at, /^20/)
  })

  test('does not run where it may not, though its schedule is still there', async (t) => {
    const { app, ann } = await start(t)
    await put(app, ann, '.gitea/workflows/a.yml', daily)
    await app.patch(ann, '/repos/ann/r', { has_actions: false })
    app.passTime(86_400)

    await startScheduledRuns(app.ctx)

    assert.deepEqual(await app.ctx.db.selectFrom('action_run').selectAll().execute(), [])
  })

  test('is told when by five fields or a word', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z') / 1000
    const cases = {
      '*/5 * * * *': '2026-01-01T00:05:00.000Z',
      '@daily': '2026-01-02T00:00:00.000Z',
      '30  5 * * 1,3': '2026-01-05T05:30:00.000Z',
    }

    for (const [cron, expected] of Object.entries(cases)) {
      assert.equal(new Date(((await nextTime(cron, now)) ?? 0) * 1000).toISOString(), expected)
    }
    for (const cron of [
      '',
      'x',
      '* * * *',
      '@every 5m',
      '2030-01-01T00:00:00',
      '61 * * * *',
      '0 0 30 2 *',
    ]) {
      assert.equal(await nextTime(cron, now), undefined, cron)
    }
  })
})
