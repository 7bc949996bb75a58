import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { randomUUID } from 'node:crypto'

/** Something is wrong with the file of the database that only an operator can put right. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError'
}

const KEPT_COPIES = 2

/**
 * While a server, or a command that must be alone, has the database open; left behind by one that
 * was not stopped cleanly.
 */
export function lockFileOf(path: string): string {
  return `${path}-running`
}

/** Only reads, so that a damaged database and its log stay as they are for whoever mends them. */
export function assertSound(path: string): void {
  const damage = findDamage(path)
  if (damage === undefined) return
  throw new DatabaseFileError(
    `${path} is damaged (${damage}). It was looked through because the server had not been stopped cleanly, and nothing was changed. ` +
      'Restore a backup, or make a new database of what can still be read with "npm run admin -- database recover"',
  )
}

function findDamage(path: string): string | undefined {
  try {
    const db = new DatabaseSync(path, { readOnly: true })
    try {
      db.exec('PRAGMA busy_timeout = 10000')
      const line = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
      return line === 'ok' ? undefined : String(line).replaceAll('\n', ' ').trim()
    } finally {
      db.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

/** A copy of what is committed, beside the database: whole under its name, or not there. */
export function keepCopy(path: string, before: string): void {
  const temporary = `${path}-copy-${randomUUID()}`
  try {
    writeCopy(path, temporary)
    renameSync(temporary, `${path}-before-${before}`)
  } catch (error) {
    rmSync(temporary, { force: true })
    const reason = (error as Error).message
    throw new DatabaseFileError(
      `${path} could not be copied before ${before} changes it (${reason}). Nothing was changed: make room for the copy, and start again`,
      { cause: error },
    )
  }
  forgetOldCopies(path)
}

/** What is committed at this moment, while others go on. */
export function writeCopy(from: string, to: string): void {
  // SQLite writes into an empty file; made by itself, others could read it.
  const file = openSync(to, 'wx', 0o600)
  const db = new DatabaseSync(from, { readOnly: true })
  try {
    db.prepare('VACUUM INTO ?').run(to)
    fsyncSync(file)
  } finally {
    db.close()
    closeSync(file)
  }
}

function forgetOldCopies(path: string): void {
  const folder = dirname(path)
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(path)}-before-`))
    .map((name) => ({ file: join(folder, name), madeAt: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.madeAt - one.madeAt)
  for (const { file } of copies.slice(KEPT_COPIES)) rmSync(file)
}
