import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../support/app.ts'

suite('a long read', () => {
  test('sees what was committed, fails by itself, and leaves the next one alone', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')
    const names = sql`SELECT name FROM account WHERE name = ${'ann'}`.compile(app.ctx.db)

    const [found, failed, again] = await Promise.allSettled([
      app.ctx.db.readAside(names),
      app.ctx.db.readAside(sql`SELECT nobody FROM nowhere`.compile(app.ctx.db)),
      app.ctx.db.readAside(names),
    ])

    assert.deepEqual(found, { status: 'fulfilled', value: [{ name: 'ann' }] })
    assert.equal(failed.status, 'rejected')
    assert.deepEqual(again, found)
  })
})
