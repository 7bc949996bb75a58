import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Executor } from '../../../src/platform/db/database.ts'
import { startApp } from '../../support/app.ts'

async function note(tx: Executor, name: string): Promise<string> {
  await tx.insertInto('scheduled_task').values({ name, started_at: 0, runs: 0 }).execute()
  return name
}

suite('writes that share a commit', () => {
  test('keep what they did, each for itself', async (t) => {
    const { ctx } = await startApp(t)
    const names = Array.from({ length: 100 }, (_, index) => `n${index}`)
    const isBad = (name: string) => name.endsWith('7')

    const outcomes = await Promise.allSettled(
      names.map((name) =>
        ctx.groupedWrites.run(async (tx) => {
          await note(tx, name)
          if (isBad(name)) throw new Error(`not ${name}`)
          return name
        }),
      ),
    )

    for (const [index, outcome] of outcomes.entries()) {
      const name = names[index] ?? ''
      if (outcome.status === 'fulfilled') assert.equal(outcome.value, name)
      else assert.equal((outcome.reason as Error).message, `not ${name}`)
      assert.equal(outcome.status === 'rejected', isBad(name))
    }
    const rows = await ctx.db.selectFrom('scheduled_task').select('name').execute()
    const kept = rows.map(({ name }) => name).filter((name) => /^n\d+$/.test(name))
    assert.deepEqual(kept.toSorted(), names.filter((name) => !isBad(name)).toSorted())
  })

  test('leave nothing of one that fails alone, and tell why', async (t) => {
    const { ctx } = await startApp(t)

    const failing = ctx.groupedWrites.run(async (tx) => {
      await note(tx, 'alone')
      throw new Error('not alone')
    })

    await assert.rejects(failing, { message: 'not alone' })
    const rows = await ctx.db.selectFrom('scheduled_task').select('name').execute()
    assert.ok(rows.every(({ name }) => name !== 'alone'))
    assert.equal(await ctx.groupedWrites.run((tx) => note(tx, 'alone')), 'alone')
  })

  test('all fail when the commit does', async (t) => {
    const { ctx } = await startApp(t)
    if (ctx.db.dialect !== 'sqlite') return t.skip('there each has a transaction of its own')
    t.mock.method(ctx.db, 'transaction', () => ({
      execute: async () => {
        throw new Error('the disk is full')
      },
    }))

    const outcomes = await Promise.allSettled(
      ['a', 'b'].map((name) => ctx.groupedWrites.run((tx) => note(tx, name))),
    )
    t.mock.restoreAll()

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await ctx.groupedWrites.run((tx) => note(tx, 'c')), 'c')
  })
})
