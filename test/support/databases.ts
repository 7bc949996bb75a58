import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { configWith } from '../../src/platform/config/config.ts'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { migrations } from '../../src/platform/db/migrations/index.ts'
import { keepPools } from './kept-pools.ts'

/** An empty, migrated database for one test. */
export interface TestDatabase {
  /** `CODESTEAD_DATABASE_URL`; empty for SQLite in the data folder. */
  readonly url: string
  readonly remove: () => Promise<void>
}

/** Set by `test/run.ts` for the runs on PostgreSQL. */
const postgresUrl = process.env['TEST_POSTGRES_URL'] ?? ''
export const testDialect = postgresUrl === '' ? 'sqlite' : 'postgres'
if (testDialect === 'postgres') keepPools((url) => url.includes('/test_'))

let template: Promise<string> | undefined
let count = 0

/** Migrating takes longer than copying, so it is done once in a process. */
export async function makeDatabase(dataFolder: string): Promise<TestDatabase> {
  template ??= testDialect === 'sqlite' ? makeSqliteTemplate() : makePostgresTemplate()
  return testDialect === 'sqlite'
    ? copySqlite(await template, dataFolder)
    : copyPostgres(await template)
}

/** A database that has no tables yet. */
export async function makeEmptyDatabase(encoding = 'UTF8'): Promise<TestDatabase> {
  if (testDialect === 'sqlite') return { url: '', remove: async () => undefined }
  const name = `empty_${process.pid}_${++count}`
  await asAdministrator(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}'`)
  return { url: urlOf(name), remove: () => asAdministrator(`DROP DATABASE ${name} WITH (FORCE)`) }
}

async function makeSqliteTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-template-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = await openDatabase(configWith(folder))
  await migrate(db, 0)
  await db.destroy()
  return join(folder, 'codestead.db')
}

async function copySqlite(from: string, dataFolder: string): Promise<TestDatabase> {
  mkdirSync(dataFolder, { recursive: true })
  copyFileSync(from, join(dataFolder, 'codestead.db'))
  return { url: '', remove: async () => undefined }
}

async function makePostgresTemplate(): Promise<string> {
  const name = `template_${process.pid}`
  await asAdministrator(`CREATE DATABASE ${name}`)
  const db = await openDatabase(configWith(tmpdir(), { database: { url: urlOf(name) } }))
  await migrate(db, 0)
  await addEmptying(db)
  await db.destroy()
  return name
}

const known = migrations.map(({ name }) => name)

/**
 * Emptied databases of earlier tests in this process: making and dropping one takes far longer than
 * emptying it.
 */
const free: string[] = []

async function copyPostgres(from: string): Promise<TestDatabase> {
  const name = free.pop() ?? (await makeCopy(from))
  return { url: urlOf(name), remove: () => emptyDatabase(name) }
}

async function makeCopy(from: string): Promise<string> {
  const name = `test_${process.pid}_${++count}`
  await asAdministrator(`CREATE DATABASE ${name} TEMPLATE ${from}`)
  return name
}

/** As after the migrations: no rows, and every counter at its start. */
async function emptyDatabase(name: string): Promise<void> {
  const client = await cleanerOf(name)
  await client.query('SELECT empty_tables()')
  // A test may have played a newer program.
  await client.query('DELETE FROM migration WHERE name <> ALL ($1)', [known])
  free.push(name)
}

/**
 * A function that names every table and counter, so that PostgreSQL plans it once in a connection.
 */
async function addEmptying(db: Database): Promise<void> {
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'migration'`.execute(db)
  const counters = await sql<{ name: string }>`
    SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`.execute(db)
  const steps = [
    ...tables.rows.map(({ name }) => `DELETE FROM "${name}";`),
    ...counters.rows.map(({ name }) => `PERFORM setval('"${name}"', 1, false);`),
  ]
  await sql
    .raw(
      `CREATE FUNCTION empty_tables() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
        ${steps.join('\n')}
      END $$`,
    )
    .execute(db)
}

const cleaners = new Map<string, Promise<pg.Client>>()

/** Kept: a connection that knows the tables empties them far faster than a new one. */
async function cleanerOf(database: string): Promise<pg.Client> {
  const cleaner = cleaners.get(database) ?? connect(database)
  cleaners.set(database, cleaner)
  return cleaner
}

async function connect(database: string): Promise<pg.Client> {
  // Without triggers and foreign keys. Said for each emptying, it would have everything planned
  // anew.
  const options = '-c session_replication_role=replica'
  const client = new pg.Client({ connectionString: urlOf(database), options })
  await client.connect()
  // Missing in its types: the connection does not keep the process from ending.
  ;(client as pg.Client & { unref: () => void }).unref()
  return client
}

async function asAdministrator(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function urlOf(database: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  return url.href
}
