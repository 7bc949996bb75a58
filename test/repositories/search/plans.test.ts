import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { anonymous, type Caller } from '../../../src/platform/context.ts'
import { Query } from '../../../src/platform/http/query.ts'
import { orderKeys } from '../../../src/repositories/search/order.ts'
import { pageQuery } from '../../../src/repositories/search/queries.ts'
import { conditionsOf, questionOf } from '../../../src/repositories/search/search.ts'
import { readWanted } from '../../../src/repositories/search/wanted.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { makeEmptyDatabase, testDialect } from '../../support/databases.ts'

const shapes = [
  {},
  { sort: 'created', order: 'desc' },
  { sort: 'updated', order: 'desc' },
  { sort: 'stars', order: 'asc' },
  { sort: 'stars', order: 'desc' },
  { sort: 'size', order: 'desc' },
  { sort: 'id', order: 'desc' },
  { sort: 'alpha', order: 'asc' },
  { q: 'falcon' },
  { q: 'falcon', includeDesc: 'true' },
  { q: 'falcon', topic: 'true' },
  { owner: 'ann' },
  { uid: '1' },
  { team_id: '1' },
  { starredBy: '1' },
]
const file = new URL(`plans/${testDialect}.txt`, import.meta.url)

/**
 * How the database would go about a page of `shape`. An empty one would read every table whole:
 * that is switched off.
 */
async function planOf(app: TestApp, caller: Caller, shape: Record<string, string>) {
  const wanted = readWanted(new Query(shape))
  const { conditions } = conditionsOf(await questionOf(app.ctx, caller, wanted))
  const page = { number: 1, limit: 30, offset: 0 }
  const compiled = pageQuery(app.ctx.db, conditions, orderKeys(wanted), page).compile()
  if (testDialect === 'sqlite') {
    const explained = { ...compiled, sql: `EXPLAIN QUERY PLAN ${compiled.sql}` }
    const { rows } = await app.ctx.db.executeQuery<{ detail: string }>(explained)
    return rows.map(({ detail }) => detail)
  }
  return app.ctx.db.transaction().execute(async (tx) => {
    for (const setting of ['enable_seqscan', 'enable_bitmapscan']) {
      await sql.raw(`SET LOCAL ${setting} = off`).execute(tx)
    }
    const explained = { ...compiled, sql: `EXPLAIN (COSTS OFF) ${compiled.sql}` }
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(explained)
    return rows.map((row) => row['QUERY PLAN']).filter((line) => /Scan|Sort/.test(line))
  })
}

suite('how searches are done', () => {
  test('is as written down: a lost index would show', async (t) => {
    // Never used before: what PostgreSQL has learned of another's rows would change its plans.
    const database = await makeEmptyDatabase()
    const app = await startApp(t, { database: { url: database.url } })
    t.after(database.remove)
    const ann = await app.addCaller('ann')
    const signedIn: Caller = { ...anonymous, account: ann.account }

    const plans: string[] = []
    for (const shape of shapes) {
      for (const [name, caller] of [
        ['anonymous', anonymous],
        ['signed in', signedIn],
      ] as const) {
        const lines = await planOf(app, caller, shape)
        const asked = new URLSearchParams(shape).toString() || 'no filter'
        plans.push(`${asked}, ${name}\n${lines.map((line) => `  ${line.trim()}\n`).join('')}`)
      }
    }

    if (process.env['UPDATE_PLANS'] === '1') writeFileSync(file, plans.join('\n'))
    assert.equal(plans.join('\n'), readFileSync(file, 'utf8'))
  })
})
