import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { nightBegan, readNight, spread, timesAround } from '../../../src/platform/jobs/nightly.ts'
import { startApp, type TestApp } from '../../support/app.ts'

interface Listed {
  readonly name: string
  readonly schedule: string
  readonly next: string
}

async function startWith(t: TestContext, nightly_at: string) {
  const app = await startApp(t, { jobs: { nightly_at } })
  const runs: string[] = []
  for (const name of ['first', 'second']) {
    const run = async () => void runs.push(name)
    app.ctx.schedule.add({ name, everySeconds: 86_400, isNightly: true, run })
  }
  return { app, runs }
}

/** Sets the clock to a time of day, later than it is. */
function waitFor(app: TestApp, hours: number, minutes: number): void {
  const now = app.ctx.now()
  const date = new Date(now * 1000)
  date.setHours(hours, minutes, 0, 0)
  if (date.getTime() <= now * 1000) date.setDate(date.getDate() + 1)
  app.passTime(Math.floor(date.getTime() / 1000) - now)
}

suite('jobs.nightly_at', () => {
  test('has daily tasks begin then, one after the other, and once a night', async (t) => {
    const { app, runs } = await startWith(t, '02:00')
    const due = async (hours: number, minutes: number) => {
      waitFor(app, hours, minutes)
      await app.ctx.schedule.runDue()
      return runs.splice(0)
    }
    await due(12, 0)

    assert.deepEqual(await due(1, 59), [])
    // Behind the tasks of the server itself.
    assert.deepEqual(await due(3, 0), ['first', 'second'])
    assert.deepEqual(await due(4, 30), [])
    assert.deepEqual(await due(12, 0), [])
    await app.ctx.schedule.runNow('first')
    assert.deepEqual(runs.splice(0), ['first'])
    assert.deepEqual(await due(3, 0), ['first', 'second'])
  })

  test('is shown by the list of tasks', async (t) => {
    const { app } = await startWith(t, '02:30')
    const root = await app.addAdmin()

    const { body } = await app.get(root, '/admin/cron?limit=50')

    const tasks = new Map((body as Listed[]).map((task) => [task.name, task]))
    assert.equal(tasks.get('git_gc_repos')?.schedule, '30 2 * * *')
    assert.match(tasks.get('sweep_lfs')?.schedule ?? '', /^\d+ [23] \* \* \*$/)
    assert.equal(tasks.get('update_mirrors')?.schedule, '@every 1m0s')
    const next = new Date(tasks.get('git_gc_repos')?.next ?? '')
    assert.deepEqual([next.getHours(), next.getMinutes()], [2, 30])
  })

  test('waits for the next night, but not for ever', () => {
    const night = readNight('02:00') ?? assert.fail()
    const now = Math.floor(new Date(2026, 10, 19, 12, 0).getTime() / 1000)
    const { last, next } = timesAround(night, now)
    assert.deepEqual([now - last, next - now], [10 * 3600, 14 * 3600])
    const hour = 3600
    const yesterday = { startedAt: last - 24 * hour, since: 0 }

    assert.equal(nightBegan(night, { ...yesterday, now: last - 1 }), undefined)
    assert.equal(nightBegan(night, { ...yesterday, now: last + 2 * hour }), last)
    assert.equal(nightBegan(night, { ...yesterday, now }), undefined)
    assert.equal(nightBegan(night, { startedAt: now - 49 * hour, since: 0, now }), last)
    assert.equal(nightBegan(night, { startedAt: 0, since: now - hour, now }), undefined)
    assert.equal(nightBegan(night, { startedAt: 0, since: now - 49 * hour, now }), last)
    assert.deepEqual(spread({ minutes: 1_430 }, 1, 2), { minutes: 20 })
  })
})
