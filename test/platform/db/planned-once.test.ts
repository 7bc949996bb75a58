import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../../src/platform/db/database.ts'
import { onePlan } from '../../../src/platform/db/planned-once.ts'
import { startApp } from '../../support/app.ts'
import { makeEmptyDatabase, testDialect } from '../../support/databases.ts'
import { assertStatus } from '../../support/expect.ts'

const skip = testDialect === 'sqlite' && 'there every statement is prepared once'

async function ask(db: Executor, statement: RawBuilder<unknown>): Promise<void> {
  for (let times = 0; times < 3; times++) await statement.execute(db)
}

/** What the connection knows by name, of what was asked with `mark`. */
async function namedOf(db: Executor, mark: string): Promise<readonly string[]> {
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements
    WHERE name LIKE 'codestead%' AND statement LIKE ${`%${mark}%`}`.execute(db)
  return rows.map(({ statement }) => statement)
}

suite('statements on PostgreSQL', { skip }, () => {
  test('that are asked often get a name, unless their plan depends on the values', async (t) => {
    const { ctx } = await startApp(t)

    const named = await ctx.db.connection().execute(async (db) => {
      await sql`SELECT 'mark', 1 FROM account WHERE id = ${1}`.execute(db)
      await ask(db, sql`SELECT 'mark', 2 FROM account WHERE id = ${1}`)
      await ask(db, sql`SELECT 'mark', 3 FROM account WHERE name LIKE ${'a%'}`)
      await ask(db, sql`SELECT 'mark', 4 FROM account WHERE id > ${1} LIMIT 1`)
      await ask(db, sql`SELECT 'mark', 5 FROM account WHERE id > ${1} LIMIT 1 ${onePlan}`)
      await ask(db, sql`SELECT 'mark', count(*) FROM account WHERE id > ${1}`)
      return namedOf(db, 'mark')
    })

    assert.deepEqual(named.toSorted(), [
      "SELECT 'mark', 2 FROM account WHERE id = $1",
      "SELECT 'mark', 5 FROM account WHERE id > $1 LIMIT 1 /* one plan */",
    ])
  })

  test('have one text, however many values a list has', async (t) => {
    const { ctx } = await startApp(t)
    const topics = await ctx.db
      .insertInto('topic')
      .values([
        { name: 'ann', created_at: 1, updated_at: 1 },
        { name: 'bob\'s "{x}", \\', created_at: 1, updated_at: 1 },
        { name: 'cid', created_at: 1, updated_at: 1 },
      ])
      .returning('name')
      .execute()
    const [first = '', second = ''] = topics.map(({ name }) => name)
    const find = (names: readonly string[]) =>
      ctx.db.selectFrom('topic').select('name').where('name', 'in', names)

    assert.equal(find([first]).compile().sql, find([first, second]).compile().sql)
    assert.deepEqual(await find([]).execute(), [])
    assert.deepEqual(await find([second, 'nobody']).execute(), [{ name: second }])
    assert.equal((await find([first, second]).execute()).length, 2)
  })

  test('go on when a table gets another column', async (t) => {
    const database = await makeEmptyDatabase()
    const app = await startApp(t, { database: { url: database.url } })
    t.after(database.remove)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    const edit = (description: string) => app.patch(ann, '/repos/ann/one', { description })
    for (const description of ['a', 'b', 'c', 'd', 'e']) assertStatus(await edit(description), 200)
    const tables = ['account', 'repository', 'repository_unit', 'access_token'] as const

    for (const table of tables) {
      await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN later BIGINT`.execute(app.ctx.db)
    }
    const read = await app.get(ann, '/repos/ann/one')
    const edited = [await edit('f'), await edit('g')]

    assert.deepEqual([read.status, read.body.description], [200, 'e'])
    // One that was in the middle of a transaction is asked to come again, and the next gets
    // through.
    assert.ok([200, 503].includes(edited[0]?.status ?? 0), edited[0]?.text)
    assert.deepEqual([edited[1]?.status, edited[1]?.body.description], [200, 'g'])
  })
})
