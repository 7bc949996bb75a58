import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Dialect, Executor } from './database.ts'

/** Everything that migrations make, by its name. */
type Parts = ReadonlyMap<string, string>

/** Where the database differs from one that was just made by these statements. */
export async function findSchemaDrift(
  db: Executor,
  dialect: Dialect,
  statements: readonly string[],
): Promise<readonly string[]> {
  const [is, shouldBe] =
    dialect === 'sqlite'
      ? [await partsOfSqlite(db), partsOfNewSqlite(statements)]
      : await partsOfPostgres(db, statements)
  const missing = [...shouldBe.keys()].filter((name) => !is.has(name))
  const extra = [...is.keys()].filter((name) => !shouldBe.has(name) && isColumnOf(name, shouldBe))
  const other = [...shouldBe].filter(([name, text]) => is.has(name) && is.get(name) !== text)
  return [
    ...missing.map((name) => `${name} is missing`),
    ...extra.map((name) => `${name} is there without reason`),
    ...other.map(([name]) => `${name} is another one`),
  ]
}

/**
 * Administrators may have tables, indexes and functions of their own; a column of ours is not
 * theirs.
 */
function isColumnOf(name: string, shouldBe: Parts): boolean {
  const table = /^column \w+\./.exec(name)?.[0]
  return table !== undefined && [...shouldBe.keys()].some((known) => known.startsWith(table))
}

interface SqlitePart {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/**
 * `migration` is made by the program before it can look at it, and SQLite makes names of its own.
 */
const selectParts = `SELECT type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'migration'`

async function partsOfSqlite(db: Executor): Promise<Parts> {
  const { rows } = await sql.raw<SqlitePart>(selectParts).execute(db)
  return toParts(rows)
}

function partsOfNewSqlite(statements: readonly string[]): Parts {
  const fresh = new DatabaseSync(':memory:')
  try {
    for (const statement of statements) fresh.exec(statement)
    return toParts(fresh.prepare(selectParts).all() as unknown as SqlitePart[])
  } finally {
    fresh.close()
  }
}

function toParts(rows: readonly SqlitePart[]): Parts {
  return new Map(
    rows.map((row) => [`${row.type} ${row.name}`, row.sql.replace(/\s+/g, ' ').trim()]),
  )
}

const SCRATCH = 'codestead_schema_drift'

/** Ends the transaction in which a new schema was made, with what was found there. */
class Looked extends Error {
  readonly parts: readonly [Parts, Parts]

  constructor(parts: readonly [Parts, Parts]) {
    super('looked')
    this.parts = parts
  }
}

/** PostgreSQL makes and forgets a schema within one transaction, which nobody else sees. */
async function partsOfPostgres(
  db: Executor,
  statements: readonly string[],
): Promise<readonly [Parts, Parts]> {
  try {
    if (db.isTransaction) return await inSavepoint(db, () => lookAtBoth(db, statements))
    return await db.transaction().execute(async (tx) => {
      throw new Looked(await lookAtBoth(tx, statements))
    })
  } catch (error) {
    if (error instanceof Looked) return error.parts
    throw error
  }
}

async function inSavepoint<T>(tx: Executor, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT look`.execute(tx)
  const result = await work()
  await sql`ROLLBACK TO SAVEPOINT look`.execute(tx)
  return result
}

async function lookAtBoth(
  tx: Executor,
  statements: readonly string[],
): Promise<readonly [Parts, Parts]> {
  const { rows } = await sql<{ schema: string; path: string }>`
    SELECT current_schema() AS schema, current_setting('search_path') AS path`.execute(tx)
  const schema = rows[0]?.schema ?? ''
  const path = rows[0]?.path ?? ''
  const is = await partsOfSchema(tx, schema)
  await sql.raw(`CREATE SCHEMA ${SCRATCH}`).execute(tx)
  await sql`SELECT set_config('search_path', ${`${SCRATCH}, ${path}`}, true)`.execute(tx)
  for (const statement of statements) await sql.raw(statement).execute(tx)
  return [is, await partsOfSchema(tx, SCRATCH)]
}

/**
 * Columns, indexes, constraints, triggers and functions, as PostgreSQL writes them, without the
 * name of the schema.
 */
async function partsOfSchema(tx: Executor, schema: string): Promise<Parts> {
  const { rows } = await sql<{ name: string; text: string }>`
    SELECT 'column ' || table_name || '.' || column_name AS name,
      concat_ws(' ', data_type, collation_name, is_nullable, column_default, identity_generation, generation_expression) AS text
      FROM information_schema.columns WHERE table_schema = ${schema}
    UNION ALL
    SELECT 'index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = ${schema}
    UNION ALL
    SELECT 'constraint ' || conrelid::regclass::text || ' ' || conname, pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = ${schema}::regnamespace AND contype <> 'n'
    UNION ALL
    SELECT 'trigger ' || tgname, pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger
      JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = ${schema}::regnamespace AND NOT tgisinternal
    UNION ALL
    SELECT 'function ' || proname, prosrc FROM pg_proc
      WHERE pronamespace = ${schema}::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`.execute(
    tx,
  )
  const plain = (text: string) => text.replaceAll(`${schema}.`, '').replace(/\s+/g, ' ').trim()
  return new Map(
    rows
      .map(({ name, text }) => [plain(name), plain(text)] as const)
      .filter(
        ([name]) => !/^(?:column migration\.|index migration_|constraint migration )/.test(name),
      ),
  )
}
