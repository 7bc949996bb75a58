import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import type { Executor } from '../../../src/platform/db/database.ts'
import { Deadlocked } from '../../../src/platform/db/unavailable.ts'
import { startApp } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'

const skip = testDialect === 'sqlite' && 'there one writes at a time'

async function touch(tx: Executor, name: string): Promise<void> {
  await sql`UPDATE account SET description = description || 'x' WHERE name = ${name}`.execute(tx)
}

suite('two that wait for each other', { skip }, () => {
  test('are told apart: one gets through, the other is asked to come again', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    await app.addPerson('bob')
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const change = (first: string, second: string, mine: number, other: number) =>
      app.ctx.db.transaction().execute(async (tx) => {
        await touch(tx, first)
        both[mine]?.resolve()
        await both[other]?.promise
        await touch(tx, second)
      })

    const ends = await Promise.allSettled([change('ann', 'bob', 0, 1), change('bob', 'ann', 1, 0)])

    const [failed, ...others] = ends.flatMap((end) =>
      end.status === 'rejected' ? [end.reason as unknown] : [],
    )
    assert.deepEqual(others, [])
    assert.ok(failed instanceof Deadlocked)
    assert.deepEqual([failed.code, failed.retryAfter], ['unavailable', 1])
    const rows = await app.ctx.db.selectFrom('account').select('description').execute()
    assert.deepEqual(
      rows.map(({ description }) => description),
      ['x', 'x'],
    )
  })
})
