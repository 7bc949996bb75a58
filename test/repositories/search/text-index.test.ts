import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sqlitePathOf } from '../../../src/platform/db/database.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { find } from './support.ts'

const skip = testDialect === 'sqlite' ? false : 'PostgreSQL indexes texts by itself'

/** How many the index does not know yet, and how many it does. */
async function countsOf({ ctx: { config } }: TestApp) {
  const db = new DatabaseSync(sqlitePathOf(config), { readOnly: true })
  const count = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']
  const counts = { late: count('repository_text_late'), known: count('repository_text') }
  db.close()
  return counts
}

async function untilIndexed(app: TestApp): Promise<void> {
  const end = Date.now() + 30_000
  while ((await countsOf(app)).late !== 0) {
    assert.ok(Date.now() < end, 'the index does not follow')
    await delay(50)
  }
}

suite('the text index', { skip }, () => {
  test('follows what is written by itself, many in one commit, and knows nothing of what is gone', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['falcon', 'heron', 'osprey']) await app.post(ann, '/user/repos', { name })
    assert.deepEqual(await countsOf(app), { late: 3, known: 0 })

    await untilIndexed(app)
    assert.deepEqual(await countsOf(app), { late: 0, known: 3 })
    await app.patch(ann, '/repos/ann/heron', { description: 'a bird that waits' })
    assert.deepEqual(await countsOf(app), { late: 1, known: 3 })
    assert.deepEqual(await find(app, ann, 'q=waits&includeDesc=true'), ['ann/heron'])
    await untilIndexed(app)
    assert.deepEqual(await find(app, ann, 'q=waits&includeDesc=true'), ['ann/heron'])

    await app.patch(ann, '/repos/ann/osprey', { description: 'a bird that dives' })
    for (const name of ['heron', 'osprey']) await app.delete(ann, `/repos/ann/${name}`)
    assert.deepEqual(await countsOf(app), { late: 0, known: 1 })
  })

  test('takes in what another process has left, however many they are', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.ctx.textIndex.flush()
    const other = new DatabaseSync(sqlitePathOf(app.ctx.config))
    other.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)
      INSERT INTO repository (owner_id, name, lower_name, folder, default_branch, created_at, updated_at)
      SELECT ${ann.id}, 'crane-' || n, 'crane-' || n, 'folder' || n, 'main', 1, 1 FROM numbers`)
    other.close()

    app.ctx.textIndex.start()
    await untilIndexed(app)

    assert.deepEqual(await countsOf(app), { late: 0, known: 250 })
    assert.deepEqual(await find(app, ann, 'q=crane-249'), ['ann/crane-249'])
  })

  test('is brought up to date when the server stops', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'stork' })

    await app.ctx.textIndex.stop()

    assert.deepEqual(await countsOf(app), { late: 0, known: 1 })
  })
})
