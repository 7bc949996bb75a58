import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatDuration } from '../../../src/platform/jobs/present.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

/** A task that says when it has been run. */
function addTask(app: TestApp, everySeconds = 3600): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  app.ctx.schedule.add({ name: 'sweep', everySeconds, run: async () => resolve() })
  return promise
}

async function findTask(app: TestApp, who: Parameters<TestApp['get']>[0]) {
  const { body } = await app.get(who, '/admin/cron?limit=50')
  return (body as { name: string; next: string; prev: string }[]).find(
    ({ name }) => name === 'sweep',
  )
}

suite('GET /admin/cron', () => {
  test('lists tasks that have not run yet', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    void addTask(app)

    const task = await findTask(app, root)

    assert.deepEqual(task, {
      name: 'sweep',
      schedule: '@every 1h0m0s',
      next: task?.next,
      prev: '0001-01-01T00:00:00Z',
      exec_times: 0,
    })
    assert.match(task?.next ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('has checks that run only when somebody asks for them', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.ctx.schedule.runDue()
    const list = async () => (await app.get(root, '/admin/cron?limit=50')).body
    const tasks = (await list()) as { name: string; exec_times: number }[]
    const checks = tasks.filter(({ name }) => name.startsWith('check_'))

    assert.ok(tasks.length > 15, 'clients expect more than fifteen')
    assert.deepEqual(checks[0], {
      name: 'check_database',
      schedule: 'on demand',
      next: '0001-01-01T00:00:00Z',
      prev: '0001-01-01T00:00:00Z',
      exec_times: 0,
    })
    for (const { name } of checks) assertStatus(await app.post(root, `/admin/cron/${name}`), 204)
    await app.ctx.schedule.stop()
    const after = (await list()) as { name: string; exec_times: number }[]
    for (const { name, exec_times } of after)
      if (name.startsWith('check_')) assert.equal(exec_times, 1, name)
  })

  test('has checks that look through tables without keeping others from the database', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.ctx.db.updateTable('account').set({ followers_count: 7 }).execute()
    const asked: string[] = []
    const executor = app.ctx.db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    t.mock.method(executor, 'executeQuery', (...given: Parameters<typeof execute>) => {
      asked.push(given[0].sql)
      return execute(...given)
    })

    assertStatus(await app.post(root, '/admin/cron/check_accounts'), 204)
    await app.ctx.schedule.stop()

    assert.ok(asked.some((statement) => statement.includes('check_result')))
    assert.deepEqual(
      asked.filter((statement) => statement.includes('followers_count')),
      [],
    )
    const results = await app.ctx.db.selectFrom('check_result').selectAll().execute()
    const followers = results.find(({ name }) => name === 'counts of followers are right')
    assert.equal(followers?.found_count, 1)
    assert.ok(results.length > 3, 'and so all others of the subject')
  })

  test('is paged, with the total of all', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    for (const name of ['one', 'two', 'three']) {
      app.ctx.schedule.add({ name, everySeconds: 60, run: async () => undefined })
    }
    const all = await app.get(root, '/admin/cron?limit=50')

    const { headers, body } = await app.get(root, '/admin/cron?limit=2&page=2')

    assert.equal(headers['x-total-count'], String(all.body.length))
    assert.deepEqual(body, all.body.slice(2, 4))
    assert.deepEqual((await app.get(root, '/admin/cron?page=99')).body, [])
  })

  test('is for administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addPerson('root', { isAdmin: true })
    const outside = await app.withToken(root, ['write:user'])

    assertError(await app.get(undefined, '/admin/cron'), 401, 'token is required')
    assertError(await app.get(ann, '/admin/cron'), 403, 'user should be the site admin')
    assertError(await app.get(outside, '/admin/cron'), 403, /required=\[read:admin\]/)
  })
})

suite('POST /admin/cron/{task}', () => {
  test('runs a task at once and counts it', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const hasRun = addTask(app, 90)

    assertStatus(await app.post(root, '/admin/cron/sweep'), 204)

    await hasRun
    const task = await findTask(app, root)
    assert.partialDeepStrictEqual(task, { schedule: '@every 1m30s', exec_times: 1 })
    const seconds = (Date.parse(task?.next ?? '') - Date.parse(task?.prev ?? '')) / 1000
    assert.equal(seconds, 90)
  })

  test('counts each run', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    void addTask(app)

    await Promise.all([1, 2, 3].map(() => app.post(root, '/admin/cron/sweep')))

    assert.partialDeepStrictEqual(await findTask(app, root), { exec_times: 3 })
  })

  test('answers although the task fails', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    app.ctx.schedule.add({
      name: 'sweep',
      everySeconds: 60,
      run: () => Promise.reject(new Error('broken')),
    })

    assertStatus(await app.post(root, '/admin/cron/sweep'), 204)

    assert.partialDeepStrictEqual(await findTask(app, root), { exec_times: 1 })
  })

  test('knows no task that is not there', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()

    assertError(await app.post(root, '/admin/cron/nothing'), 404, 'not found')
    assertError(await app.post(root, '/admin/cron/constructor'), 404, 'not found')
  })

  test('is for administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addPerson('root', { isAdmin: true })
    const reader = await app.withToken(root, ['read:admin'])
    void addTask(app)

    assertError(await app.post(undefined, '/admin/cron/sweep'), 401, 'token is required')
    assertError(await app.post(ann, '/admin/cron/sweep'), 403, 'user should be the site admin')
    assertError(await app.post(reader, '/admin/cron/sweep'), 403, /required=\[write:admin\]/)
  })
})

suite('formatDuration', () => {
  const cases = {
    15: '15s',
    60: '1m0s',
    90: '1m30s',
    3600: '1h0m0s',
    3661: '1h1m1s',
    86_400: '24h0m0s',
  }
  for (const [seconds, expected] of Object.entries(cases)) {
    test(`writes ${seconds} seconds as ${expected}`, () => {
      assert.equal(formatDuration(Number(seconds)), expected)
    })
  }
})
