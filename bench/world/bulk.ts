import { sql } from 'kysely'
import type { Context } from '../../src/platform/context.ts'

/**
 * Fills `activity` many times faster: its indexes, triggers and tallies are made when all is there.
 */
export async function inBulk(ctx: Context, fill: () => Promise<void>): Promise<void> {
  const isSqlite = ctx.db.dialect === 'sqlite'
  const made = isSqlite ? await findOnSqlite(ctx) : await findOnPostgres(ctx)
  for (const { drop } of made) await run(ctx, drop)
  await fill()
  await tally(ctx)
  for (const { create } of made) await run(ctx, create)
}

async function tally(ctx: Context): Promise<void> {
  const key = 'repository_id, account_id, kind, is_private'
  const reach = `SELECT CASE WHEN hide_activity = 1 THEN 2 WHEN visibility = 'public' THEN 0 WHEN visibility = 'limited' THEN 1 ELSE 2 END FROM account`
  const counts = `SELECT ${key}, count(*) AS activities FROM activity GROUP BY ${key}`
  await run(ctx, 'DELETE FROM actor_tally')
  await run(ctx, 'DELETE FROM activity_tally')
  await run(
    ctx,
    `INSERT INTO actor_tally (${key}, actor_reach, activities)
      SELECT ${key}, (${reach} WHERE account.id = counts.account_id), activities FROM (${counts}) counts`,
  )
  await run(
    ctx,
    `INSERT INTO activity_tally (repository_id, kind, is_private, actor_reach, activities)
      SELECT repository_id, kind, is_private, actor_reach, sum(activities) FROM actor_tally
      GROUP BY repository_id, kind, is_private, actor_reach`,
  )
}

interface Made {
  readonly drop: string
  readonly create: string
}

async function run({ db }: Context, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

async function findOnSqlite({ db }: Context): Promise<readonly Made[]> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    SELECT type, name, sql FROM sqlite_master
    WHERE tbl_name IN ('activity', 'actor_tally') AND type IN ('index', 'trigger') AND sql IS NOT NULL`.execute(
    db,
  )
  return rows.map((row) => ({ drop: `DROP ${row.type} ${row.name}`, create: row.sql }))
}

async function findOnPostgres({ db }: Context): Promise<readonly Made[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'activity' AND indexname <> 'activity_pkey'`.execute(db)
  const triggers = ['activity', 'actor_tally'].map((table) => ({
    drop: `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    create: `ALTER TABLE ${table} ENABLE TRIGGER ALL`,
  }))
  return [
    ...triggers,
    ...rows.map((row) => ({ drop: `DROP INDEX ${row.name}`, create: row.definition })),
  ]
}
