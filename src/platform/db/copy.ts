import { sql, type RawBuilder } from 'kysely'
import type { Database, Executor } from './database.ts'
import { tableNames } from './migrate.ts'

type AnyRow = Readonly<Record<string, unknown>>

/** Few enough that their values can be given to one statement. */
const ROWS_AT_ONCE = 50

/** What triggers write on SQLite, where they cannot be switched off. */
const tallies: ReadonlySet<string> = new Set(['repository_tally', 'activity_tally', 'actor_tally'])

/** The first table that has something in it. */
export async function findFilledTable(db: Executor): Promise<string | undefined> {
  for (const table of tableNames()) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(db)
    if (rows.length > 0) return table
  }
  return undefined
}

/**
 * All rows as they are at one moment, with the same ids, into an empty database of the same
 * migrations: everything or nothing. Gives how many they were.
 */
export async function copyRows(from: Database, to: Database): Promise<number> {
  return inSnapshot(from, (source) =>
    to.transaction().execute(async (target) => {
      const restore = to.dialect === 'postgres' ? await loosen(target) : await deferChecks(target)
      let count = 0
      for (const table of tableNames()) {
        if (to.dialect === 'sqlite' && tallies.has(table)) continue
        for await (const rows of batchesOf(from, source, table)) {
          await insertRows(target, table, rows)
          count += rows.length
        }
      }
      await setCounters(to, target, await readCounters(from, source))
      await restore()
      return count
    }),
  )
}

/**
 * Nothing that is committed meanwhile is seen: SQLite has one writer, which this is, and PostgreSQL
 * keeps a snapshot.
 */
async function inSnapshot<T>(db: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  const transaction = db.transaction()
  return db.dialect === 'sqlite'
    ? transaction.execute(work)
    : transaction.setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

async function* batchesOf(db: Database, tx: Executor, table: string): AsyncIterable<AnyRow[]> {
  if (db.dialect === 'sqlite') yield* pagesOf(tx, table)
  else yield* fetchesOf(tx, table)
}

async function* pagesOf(tx: Executor, table: string): AsyncIterable<AnyRow[]> {
  for (let last = 0; ;) {
    const { rows } = await sql<AnyRow>`
      SELECT rowid AS place, * FROM ${sql.table(table)}
      WHERE rowid > ${last} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`.execute(tx)
    if (rows.length === 0) return
    last = Number(rows.at(-1)?.['place'])
    yield rows.map(({ place: _place, ...row }) => row)
  }
}

async function* fetchesOf(tx: Executor, table: string): AsyncIterable<AnyRow[]> {
  await sql`DECLARE copied CURSOR FOR SELECT * FROM ${sql.table(table)}`.execute(tx)
  for (;;) {
    const { rows } = await sql<AnyRow>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM copied`.execute(tx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`CLOSE copied`.execute(tx)
}

async function insertRows(tx: Executor, table: string, rows: readonly AnyRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    VALUES ${sql.join(values)}`.execute(tx)
}

type Restore = () => Promise<void>

/** Rows may come before those that they name; SQLite looks at the end. */
async function deferChecks(tx: Executor): Promise<Restore> {
  await sql`PRAGMA defer_foreign_keys = ON`.execute(tx)
  return async () => undefined
}

/**
 * Rows may come before those that they name; in PostgreSQL foreign keys have to be told so.
 * Triggers would count anew what is copied, and hold a lock for each account that ever did
 * something.
 */
async function loosen(tx: Executor): Promise<Restore> {
  const { rows: keys } = await sql<{ table: string; name: string }>`
    SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`.execute(tx)
  const alterKeys = async (state: RawBuilder<unknown>) => {
    for (const { table, name } of keys) {
      await sql`ALTER TABLE ${sql.table(table)} ALTER CONSTRAINT ${sql.ref(name)} ${state}`.execute(
        tx,
      )
    }
  }
  const alterTables = async (state: RawBuilder<unknown>) => {
    for (const table of tableNames())
      await sql`ALTER TABLE ${sql.table(table)} ${state}`.execute(tx)
  }
  await alterKeys(sql`DEFERRABLE INITIALLY DEFERRED`)
  await alterTables(sql`DISABLE TRIGGER USER`)
  return async () => {
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
    await alterTables(sql`ENABLE TRIGGER USER`)
    await alterKeys(sql`NOT DEFERRABLE`)
  }
}

/**
 * The last id that each table has given, so that none is given again, also not of what has been
 * deleted.
 */
interface Counter {
  readonly table: string
  readonly last: number
}

async function readCounters(db: Database, tx: Executor): Promise<readonly Counter[]> {
  if (db.dialect === 'sqlite') {
    const { rows } =
      await sql<Counter>`SELECT name AS "table", seq AS last FROM sqlite_sequence`.execute(tx)
    return rows
  }
  const { rows } = await sql<Counter>`
    SELECT tables.name AS table, last_value AS last FROM (${sequences}) tables
    JOIN pg_sequences ON schemaname = current_schema() AND sequencename = tables.sequence
    WHERE last_value IS NOT NULL`.execute(tx)
  return rows
}

const sequences = sql`
  SELECT owner.relname AS name, counter.relname AS sequence FROM pg_depend
  JOIN pg_class counter ON counter.oid = objid AND counter.relkind = 'S'
  JOIN pg_class owner ON owner.oid = refobjid
  WHERE deptype = 'i' AND counter.relnamespace = current_schema()::regnamespace`

async function setCounters(
  db: Database,
  tx: Executor,
  counters: readonly Counter[],
): Promise<void> {
  // Where a table has never given an id, SQLite may say 0, which PostgreSQL does not take.
  for (const { table, last } of counters.filter((counter) => counter.last > 0)) {
    if (db.dialect === 'postgres') {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(tx)
    } else {
      await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(tx)
      await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`.execute(tx)
    }
  }
}
