import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { Database } from '../../../src/platform/db/database.ts'
import { JobQueue, NotYet } from '../../../src/platform/jobs/queue.ts'
import { startApp } from '../../support/app.ts'

const payload = { folder: '00000000-0000-4000-8000-000000000000' }

suite('the queue of jobs', () => {
  test('does what was enqueued, once, after the transaction', async (t) => {
    const { ctx } = await startApp(t)
    const done: string[] = []
    ctx.jobs.handle('remove_repository_folder', async ({ folder }) => void done.push(folder))

    await ctx.db
      .transaction()
      .execute((tx) => ctx.jobs.enqueue(tx, 'remove_repository_folder', payload))
    await ctx.jobs.runDue()
    await ctx.jobs.runDue()

    assert.deepEqual(done, [payload.folder])
    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('sees what comes while its last look is on the way back', { timeout: 20_000 }, async (t) => {
    const { ctx } = await startApp(t)
    // The regular look, five seconds later, would find it too.
    t.mock.timers.enable({ apis: ['setInterval'] })
    const looked = Promise.withResolvers<void>()
    const back = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const slow: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        looked.resolve()
        await back.promise
        return result
      },
    }
    const queue = new JobQueue(ctx.db.withPlugin(slow) as Database, ctx.log, ctx.now, ctx.config)
    queue.handle('remove_repository_folder', async () => done.resolve())

    queue.start()
    await looked.promise
    await queue.enqueue(ctx.db, 'remove_repository_folder', payload)
    queue.wake()
    back.resolve()

    await done.promise
    await queue.stop()
  })

  test('forgets what was enqueued in a transaction that failed', async (t) => {
    const { ctx } = await startApp(t)

    await assert.rejects(
      ctx.db.transaction().execute(async (tx) => {
        await ctx.jobs.enqueue(tx, 'remove_repository_folder', payload)
        throw new Error('no')
      }),
    )

    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('tries a failed job again later, ever more slowly', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    let tries = 0
    ctx.jobs.handle('remove_repository_folder', async () => {
      tries++
      if (tries < 3) throw new Error(`failure ${tries}`)
    })
    await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)

    await ctx.jobs.runDue()
    await ctx.jobs.runDue()
    assert.equal(tries, 1)
    const row = await ctx.db.selectFrom('job').selectAll().executeTakeFirstOrThrow()
    assert.equal(row.last_error, 'failure 1')
    app.passTime(11)
    await ctx.jobs.runDue()
    app.passTime(11)
    await ctx.jobs.runDue()
    assert.equal(tries, 2)
    app.passTime(10)
    await ctx.jobs.runDue()

    assert.equal(tries, 3)
    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('leaves a job to the process that works on it, and takes it over soon after that one died', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    const began = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const other = new JobQueue(ctx.db, ctx.log, ctx.now, ctx.config)
    other.addLane('garbage', { atOnce: 1 })
    const work = { remove_repository_folder: payload, collect_garbage: { id: 1 } } as const
    let theirs = 0
    let ours = 0
    for (const kind of ['remove_repository_folder', 'collect_garbage'] as const) {
      other.handle(kind, () => {
        if (++theirs === 2) began.resolve()
        return end.promise
      })
      ctx.jobs.handle(kind, async () => void ours++)
      await ctx.jobs.enqueue(ctx.db, kind, work[kind])
    }
    const working = other.runDue()
    await began.promise

    // For as long as it lives, however long that is, in every lane.
    for (let minute = 0; minute < 20; minute++) {
      app.passTime(20)
      await other.renewLeases()
      app.passTime(20)
      await ctx.jobs.runDue()
      assert.equal(ours, 0)
      await other.renewLeases()
    }
    app.passTime(31)
    await ctx.jobs.runDue()
    assert.equal(ours, 2)

    // What comes of it when it was only asleep counts no more.
    await ctx.jobs.enqueue(ctx.db, 'collect_garbage', { id: 2 })
    await other.renewLeases()
    end.resolve()
    await working
    await ctx.jobs.runDue()
    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('tells who takes a job over from the dead, and not who tries again what failed', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    const told: boolean[] = []
    ctx.jobs.handle('remove_repository_folder', async (_payload, _ending, { wasLeft }) => {
      told.push(wasLeft)
      if (told.length < 3) throw new Error('no')
    })

    await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
    await ctx.jobs.runDue()
    app.passTime(3600)
    // As a process leaves it that has died over it.
    const left = { worker: 'another', lease_until: ctx.now() - 1 }
    await ctx.db.updateTable('job').set(left).execute()
    await ctx.jobs.runDue()
    app.passTime(3600)
    await ctx.jobs.runDue()

    assert.deepEqual(told, [false, true, false])
    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('ends a job with a transaction of its handler, or not at all', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    let runs = 0
    let lost: unknown
    ctx.jobs.handle('remove_repository_folder', (_payload, _ending, { id, finish }) =>
      ctx.db.transaction().execute(async (tx) => {
        if (++runs === 3) {
          // Somebody else has it by now.
          await tx.updateTable('job').set({ worker: 'another' }).where('id', '=', id).execute()
          await finish(tx).catch((error: unknown) => (lost = error))
          return
        }
        await finish(tx)
        if (runs === 1) throw new Error('no')
      }),
    )

    await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
    await ctx.jobs.runDue()
    assert.equal((await ctx.db.selectFrom('job').selectAll().execute()).length, 1)
    app.passTime(3600)
    await ctx.jobs.runDue()

    assert.equal(runs, 2)
    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
    await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
    await ctx.jobs.runDue()
    assert.match(String(lost), /another process has taken the job over/)
  })

  test('lets who lost a job neither end nor postpone it for its new worker', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    const queues = [1, 2, 3].map(() => new JobQueue(ctx.db, ctx.log, ctx.now, ctx.config))
    const ends = queues.map(() => Promise.withResolvers<void>())
    const began = queues.map(() => Promise.withResolvers<void>())
    for (const [index, queue] of queues.entries()) {
      queue.handle('remove_repository_folder', () => {
        began[index]?.resolve()
        return ends[index]?.promise ?? Promise.resolve()
      })
    }
    await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
    const workings: Promise<void>[] = []
    for (const [index, queue] of queues.entries()) {
      app.passTime(31)
      workings.push(queue.runDue())
      await began[index]?.promise
    }
    const before = await ctx.db.selectFrom('job').selectAll().executeTakeFirstOrThrow()

    ends[0]?.resolve()
    ends[1]?.reject(new Error('no'))
    await Promise.all(workings.slice(0, 2))
    await queues[0]?.renewLeases()
    const after = await ctx.db.selectFrom('job').selectAll().executeTakeFirstOrThrow()
    ends[2]?.resolve()
    await workings[2]

    assert.deepEqual(after, before)
    assert.deepEqual(await ctx.db.selectFrom('job').selectAll().execute(), [])
  })

  test('is worked on by several at once without doing anything twice', async (t) => {
    const { ctx } = await startApp(t)
    const done: string[] = []
    ctx.jobs.handle('remove_repository_folder', async ({ folder }) => void done.push(folder))
    for (let count = 0; count < 20; count++) {
      await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', { folder: String(count) })
    }

    await Promise.all(Array.from({ length: 4 }, () => ctx.jobs.runDue()))

    assert.equal(done.length, 20)
    assert.equal(new Set(done).size, 20)
  })

  test('lets jobs that take long hold nothing else back, and hands them back when it stops', async (t) => {
    const { ctx } = await startApp(t)
    const { promise: slowBegan, resolve: beginSlow } = Promise.withResolvers<void>()
    const { promise: quickDone, resolve: endQuick } = Promise.withResolvers<void>()
    ctx.jobs.handle('sync_mirror', (_payload, ending) => {
      beginSlow()
      const { promise, reject } = Promise.withResolvers<void>()
      ending.addEventListener('abort', () => reject(new Error('stopped')))
      return promise
    })
    ctx.jobs.handle('remove_repository_folder', async () => endQuick())
    await ctx.jobs.enqueue(ctx.db, 'sync_mirror', { repositoryId: 1 })
    ctx.jobs.start()
    await slowBegan

    await ctx.jobs.enqueue(ctx.db, 'remove_repository_folder', payload)
    ctx.jobs.wake()
    await quickDone
    await ctx.jobs.stop()

    const [row] = await ctx.db.selectFrom('job').selectAll().execute()
    assert.partialDeepStrictEqual(row, { kind: 'sync_mirror', lease_until: 0 })
    assert.ok((row?.run_at ?? 0) <= ctx.now())
  })

  test('comes back later to what is not ready yet, and calls that no failure', async (t) => {
    const app = await startApp(t)
    let tries = 0
    app.ctx.jobs.handle('remove_repository_folder', async () => {
      if (++tries === 1) throw new NotYet(100)
    })
    await app.ctx.jobs.enqueue(app.ctx.db, 'remove_repository_folder', payload)

    await app.ctx.jobs.runDue()
    app.passTime(50)
    await app.ctx.jobs.runDue()
    const early = tries
    app.passTime(60)
    await app.ctx.jobs.runDue()

    assert.deepEqual([early, tries], [1, 2])
  })
})
