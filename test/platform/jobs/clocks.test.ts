import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import type { Context } from '../../../src/platform/context.ts'
import { JobQueue } from '../../../src/platform/jobs/queue.ts'
import { asWorker, startApp, TestApp } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { assertStatus } from '../../support/expect.ts'

const skip = testDialect === 'sqlite' && 'SQLite is used by the processes of one machine'
const seconds = () => Math.floor(Date.now() / 1000)

/** Another node on the same database, whose clock is wrong. */
async function startBeside(t: TestContext, { ctx }: TestApp, ahead: number): Promise<TestApp> {
  const log = pino({ level: 'silent' })
  const app = await buildApp(ctx.config, log, { ...asWorker, now: () => seconds() + ahead })
  t.after(() => app.close())
  return new TestApp(app, { offset: 0 })
}

const payload = { folder: '00000000-0000-4000-8000-000000000000' }

/** A worker that has begun a job and does not end it. */
async function workOn({ db, log, now, config }: Context): Promise<() => Promise<void>> {
  const queue = new JobQueue(db, log, now, config)
  const began = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  queue.handle('remove_repository_folder', async () => {
    began.resolve()
    await end.promise
  })
  const working = queue.runDue()
  await began.promise
  return async () => {
    end.resolve()
    await working
  }
}

suite('nodes whose clocks differ by five minutes', { skip }, () => {
  test('leave each other their jobs, do what is due, and agree about the time', async (t) => {
    const right = await startApp(t)
    const fast = await startBeside(t, right, 300)
    const slow = await startBeside(t, right, -300)
    const nodes = [right, fast, slow]
    const done: number[] = []
    for (const [index, { ctx }] of nodes.entries()) {
      ctx.jobs.handle('remove_repository_folder', async () => void done.push(index))
    }

    for (const [holder, { ctx }] of nodes.entries()) {
      await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
      const end = await workOn(nodes[(holder + 1) % 3]?.ctx ?? ctx)
      for (const other of nodes) await other.ctx.jobs.runDue()
      assert.deepEqual(done.splice(0), [], 'a job is done by two')
      await end()
      // What one puts in is due for all at once.
      await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
      const next = (holder + 2) % 3
      await nodes[next]?.ctx.jobs.runDue()
      assert.deepEqual(done.splice(0), [next])
    }

    const ann = await right.addCaller('ann')
    for (const [index, app] of nodes.entries()) {
      const made = await app.post(ann, '/user/repos', { name: `r${index}` })
      assertStatus(made, 201)
      const age = seconds() - Date.parse(made.body.created_at as string) / 1000
      assert.ok(Math.abs(age) <= 3, `${age}`)
    }
    const began = await right.addCaller('bob')
    for (const app of nodes) assertStatus(await app.get(began, '/user'), 200)
  })

  test('follow a clock that is set while they run', async (t) => {
    const right = await startApp(t)
    right.passTime(300)
    assert.ok(Math.abs(right.ctx.now() - seconds() - 300) <= 3)

    await right.ctx.clock.adjust()

    assert.ok(Math.abs(right.ctx.now() - seconds()) <= 3)
  })
})
