import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { sqlitePathOf, takeFromServers, withDatabase } from '../../platform/db/database.ts'
import { setIdentity } from '../../platform/db/identity.ts'
import { migrate, migrationNames, tableNames } from '../../platform/db/migrate.ts'
import { Refill } from '../../platform/db/refill.ts'
import { Salvage } from '../../platform/db/salvage.ts'
import { DatabaseFileError } from '../../platform/db/sqlite-file.ts'
import { readFolderMark } from '../startup/folder-mark.ts'
import { UsageError, type Invocation } from './command.ts'
import { onDatabase } from './database-copy.ts'
import { formatTable } from './table.ts'

/** What triggers make anew with the rows that they count. */
const countedAnew = new Set(['repository_tally', 'activity_tally', 'actor_tally'])

interface Saved {
  readonly table: string
  readonly rows: number
  readonly isWhole: boolean
}

/**
 * What can be read of a damaged database becomes a new one in its place; the damaged one is kept
 * beside it.
 */
export async function runRecover(invocation: Invocation): Promise<void> {
  const { config, terminal } = invocation
  if (config.database.url) throw new UsageError('PostgreSQL has tools of its own for this')
  const path = sqlitePathOf(config)
  if (!existsSync(path)) throw new UsageError(`${path} is not there`)
  const release = await takeFromServers(config)
  if (!release) throw new UsageError('a server uses the database: stop it first')
  const scratch = mkdtempSync(join(config.data, 'recover-'))
  try {
    const made = onDatabase({ ...config, data: scratch }, '')
    const { saved, broken, refused } = await fill(path, made)
    for (const line of tableOf(saved)) terminal.out(line)
    if (broken > 0) terminal.note(`${broken} rows name others that are lost.`)
    if (refused > 0) terminal.note(`${refused} rows were read that cannot be right, and left out.`)
    assertAccounts(saved, invocation.flag('yes'))
    await keepIdentity(config, made)
    terminal.note(`The damaged database is kept as ${replace(path, sqlitePathOf(made))}.`)
    terminal.note('Look at "npm run admin -- doctor" before the next start.')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    release()
  }
}

async function fill(
  path: string,
  made: Config,
): Promise<{
  readonly saved: readonly Saved[]
  readonly broken: number
  readonly refused: number
}> {
  await withDatabase(made, (db) => migrate(db, now()))
  const salvage = openSalvage(path)
  const refill = new Refill(sqlitePathOf(made))
  try {
    assertSameVersion(salvage)
    const saved = tableNames()
      .filter((table) => !countedAnew.has(table))
      .map((table) => save(salvage, refill, table))
    const broken = refill.countBroken()
    refill.commit()
    return { saved, broken, refused: refill.refused }
  } finally {
    salvage.close()
    refill.close()
  }
}

function openSalvage(path: string): Salvage {
  const salvage = new Salvage(path)
  try {
    salvage.tables()
    return salvage
  } catch (error) {
    salvage.close()
    const reason = (error as Error).message
    throw new DatabaseFileError(`nothing of ${path} can be read (${reason}): restore a backup`, {
      cause: error,
    })
  }
}

/** Rows of other tables than ours would not fit. Where it cannot be read, they are tried. */
function assertSameVersion(salvage: Salvage): void {
  const applied: string[] = []
  const isWhole = salvage.read('migration', (rows) => {
    applied.push(...rows.map(({ name }) => String(name)))
  })
  const known = migrationNames()
  const isSame = known.length === applied.length && known.every((name) => applied.includes(name))
  if (!isWhole || isSame) return
  throw new UsageError(
    'the database is of another version than this program: recover it with the program that made it',
  )
}

function save(salvage: Salvage, refill: Refill, table: string): Saved {
  let count = 0
  const isWhole = salvage.read(table, (rows) => {
    count += refill.add(table, rows)
  })
  return { table, rows: count, isWhole }
}

function tableOf(saved: readonly Saved[]): readonly string[] {
  const rows = saved.map(({ table, rows: count, isWhole }) => [
    table,
    String(count),
    isWhole ? 'all' : 'not all could be read',
  ])
  return formatTable([['TABLE', 'ROWS', ''], ...rows])
}

/** Everything hangs on them: without them a server would take what people have for rubbish. */
function assertAccounts(saved: readonly Saved[], isAccepted: boolean): void {
  const accounts = saved.find(({ table }) => table === 'account')
  if (!accounts || accounts.rows === 0) {
    throw new DatabaseFileError('no account can be read: nothing was changed. Restore a backup')
  }
  if (accounts.isWhole || isAccepted) return
  throw new DatabaseFileError(
    'not all accounts can be read: nothing was changed. Restore a backup, or say --yes to go on without those',
  )
}

/** The data folder knows its database, also where the row that says so is lost. */
async function keepIdentity(config: Config, made: Config): Promise<void> {
  const mark = await readFolderMark(config)
  await withDatabase(made, (db) => setIdentity(db, mark, now()))
}

/** Gives where the damaged one is. */
function replace(path: string, made: string): string {
  const aside = `${path}-damaged-${now()}`
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(path + end)) renameSync(path + end, aside + end)
  }
  renameSync(made, path)
  return aside
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
