import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

const REPOSITORIES = 4
const ROUNDS = 40

suite('what people show of what they do', () => {
  test('is changed by many at once without one waiting for another in vain', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const people = await Promise.all(
      ['ann', 'bob', 'cid', 'dee'].map((name) => app.addCaller(name)),
    )
    for (let number = 0; number < REPOSITORIES; number++) {
      assertStatus(await app.post(root, '/user/repos', { name: `r${number}` }), 201)
    }
    const open = (index: number) =>
      Promise.all(
        // In another order each.
        Array.from({ length: REPOSITORIES }, (_, number) => {
          const path = `/repos/${root.name}/r${(index + number) % REPOSITORIES}/issues`
          return app.post(people[index], path, { title: 'x' })
        }),
      )
    for (const index of people.keys()) for (const made of await open(index)) assertStatus(made, 201)
    const before = await countDeadlocks(app)

    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        people.map((person, index) =>
          app.patch(person, '/user/settings', { hide_activity: (round + index) % 2 === 0 }),
        ),
      )
      for (const answer of answers) assertStatus(answer, 200)
    }

    assert.equal(await countDeadlocks(app), before)
  })
})

/**
 * That PostgreSQL has ended. It tells what a connection has seen when that is idle for a moment, or
 * asked for it.
 */
async function countDeadlocks({ ctx: { db } }: TestApp): Promise<number> {
  if (db.dialect === 'sqlite') return 0
  const asked = sql<{
    deadlocks: string
  }>`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
  const { rows } = await asked.execute(db)
  return Number(rows[0]?.deadlocks)
}
