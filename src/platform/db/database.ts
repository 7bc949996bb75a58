import { closeSync, existsSync, mkdirSync, openSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledQuery, Kysely } from 'kysely'
import { ConfigError, type Config } from '../config/config.ts'
import type { Schema } from './schema.ts'
import { SqliteConnections } from './sqlite-connections.ts'
import { assertSound, DatabaseFileError, keepCopy, lockFileOf, writeCopy } from './sqlite-file.ts'
import { awaitFileLock, takeFileLock } from './sqlite-lock.ts'
import { Sqlite } from './sqlite.ts'

export type Dialect = 'sqlite' | 'postgres'

export type DataVersion = number | string

/** The database, or a transaction on it: whoever calls a query decides what is atomic. */
export type Executor = Kysely<Schema>

export interface Remembered<T> {
  readonly value: T
  /** Whether the same would be found under this version. */
  readonly holdsAt: (version: DataVersion) => boolean
}

export interface Database extends Executor {
  readonly dialect: Dialect
  /**
   * Changes when anything is committed, by whichever process: what was read under the same version
   * still holds.
   */
  readonly dataVersion: () => DataVersion | Promise<DataVersion>
  /** The version from which on what a transaction reads now may hold, if it is committed. */
  readonly writtenVersion: () => DataVersion
  /** What `find` finds, begun under `version`. */
  readonly remember: <T>(version: DataVersion, find: () => Promise<T>) => Promise<Remembered<T>>
  /** The rows of a read that may take long, while everything else goes on. */
  readonly readAside: (query: CompiledQuery) => Promise<readonly unknown[]>
  /**
   * Calls `then` after each commit of this process that may have changed the table; PostgreSQL does
   * not know which did.
   */
  readonly onWritten: (table: string, then: () => void) => void
  /**
   * Keeps what is committed beside the database before it is changed; PostgreSQL is its
   * administrator's to copy.
   */
  readonly keepCopy: (before: string) => void
}

export async function openDatabase(
  config: Config,
  options: { readonly isServer?: boolean } = {},
): Promise<Database> {
  if (!config.database.url) return openSqlite(config)
  // Loaded only where it is used: the embedded default starts faster without it.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(config, options)
}

/** Opened for `work` alone, and not migrated. */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(config)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

function openSqlite(config: Config): Database {
  makeDataFolder(config)
  assertLocal(config.data, statfsSync(config.data).type)
  const path = sqlitePathOf(config)
  // Made by SQLite, others could read it.
  closeSync(openSync(path, 'a', 0o600))
  const connections = new SqliteConnections({
    path,
    readers: config.database.readers,
    busyTimeout: config.database.busy_timeout * 1000,
  })
  const { versions } = connections
  return Object.assign(new Sqlite(connections), {
    dialect: 'sqlite' as const,
    dataVersion: () => versions.latest(),
    writtenVersion: () => versions.written(),
    remember: <T>(version: DataVersion, find: () => Promise<T>) => versions.remember(version, find),
    readAside: (query: CompiledQuery) => connections.readAside(query),
    onWritten: (table: string, then: () => void) => connections.onWritten(table, then),
    keepCopy: (before: string) => keepCopy(path, before),
  })
}

export function sqlitePathOf(config: Config): string {
  return join(config.data, 'codestead.db')
}

/** For a backup. */
export function copySqlite(config: Config, toFolder: string): void {
  writeCopy(sqlitePathOf(config), join(toFolder, 'codestead.db'))
}

/** Nobody else has the database: until the returned function is called, or the process dies. */
export type Release = () => void

/**
 * For a server, before it opens the database. One that was not stopped cleanly finds out whether
 * its database suffered; after a clean stop nothing is looked at. PostgreSQL is for many.
 */
export async function takeDatabase(
  config: Config,
  tell: (message: string) => void,
): Promise<Release> {
  if (config.database.url) return () => undefined
  makeDataFolder(config)
  const path = sqlitePathOf(config)
  const wasLeft = existsSync(lockFileOf(path)) && existsSync(path)
  const lock = await awaitFileLock(lockFileOf(path))
  if (!lock) {
    throw new DatabaseFileError(
      `another server runs on ${path}: stop that one first, or give this one a data folder of its own`,
    )
  }
  try {
    if (!wasLeft) return lock.release
    tell('the server was not stopped cleanly: the database is looked through')
    assertSound(path)
    return lock.release
  } catch (error) {
    lock.leave()
    throw error
  }
}

/** For a command that must be alone; undefined while a server runs on the database. */
export async function takeFromServers(config: Config): Promise<Release | undefined> {
  if (!config.database.url) {
    const path = sqlitePathOf(config)
    // What a crash has left is for the next start of a server to look at.
    const wasLeft = existsSync(lockFileOf(path))
    const lock = takeFileLock(lockFileOf(path))
    return wasLeft ? lock?.leave : lock?.release
  }
  const { findServers } = await import('./postgres-servers.ts')
  return (await findServers(config)) > 0 ? undefined : () => undefined
}

function makeDataFolder({ data, sources }: Config): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const source = sources.get('data') ?? 'CODESTEAD_DATA'
    throw new ConfigError(`${source}: ${(cause as Error).message}`, { cause })
  }
}

/** As Linux numbers them: NFS, SMB, CIFS, SMB 2, Ceph. */
const networkFileSystems = [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x00c36400]

/** Locks and flushes are not to be relied on elsewhere, and SQLite lives by them. */
export function assertLocal(folder: string, fileSystem: number): void {
  if (!networkFileSystems.includes(fileSystem >>> 0)) return
  throw new ConfigError(
    `SQLite cannot be used on a network file system, which ${folder} is on: set database.url to a PostgreSQL, or use a local folder`,
  )
}

/** Whether `error` says that a row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  const errcode = 'errcode' in error ? error.errcode : undefined
  return code === '23505' || errcode === 2067 || errcode === 1555
}
