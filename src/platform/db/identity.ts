import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Executor } from './database.ts'
import type { Changes } from './schema.ts'

/** Which database this is, for the data folder and the bucket that belong to it. */
export interface DatabaseIdentity {
  readonly id: string
  /** How often a server has started on it. */
  readonly starts: number
  /** Empty before the first start with a key. */
  readonly keyCheck: string
  /** When a backup made this copy; 0 where it is no copy, or lives on as the original. */
  readonly copiedAt: number
  /**
   * Before that nothing is swept: a sweep on the wrong database would find everything to be
   * rubbish.
   */
  readonly sweepsFrom: number
}

export const FIRST_DAY_SECONDS = 86_400

/** Of any number of processes that start on a new database at once, one gives it its id. */
export async function makeIdentity(db: Executor, now: number): Promise<DatabaseIdentity> {
  const row = { only_one: 1, id: randomUUID(), sweeps_from: now + FIRST_DAY_SECONDS }
  await db
    .insertInto('database_identity')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await findIdentity(db)
  if (!made) throw new Error('the database did not take its identity')
  return made
}

export async function findIdentity(db: Executor): Promise<DatabaseIdentity | undefined> {
  const row = await db.selectFrom('database_identity').selectAll().executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    starts: row.starts,
    keyCheck: row.key_check,
    copiedAt: row.copied_at,
    sweepsFrom: row.sweeps_from,
  }
}

/** Gives the number of this start. */
export async function countStart(db: Executor): Promise<number> {
  const { starts } = await db
    .updateTable('database_identity')
    .set({ starts: sql`starts + 1` })
    .where('only_one', '=', 1)
    .returning('starts')
    .executeTakeFirstOrThrow()
  return starts
}

/** The first key that a server had on this database stays its key. */
export async function setKeyCheck(db: Executor, check: string): Promise<void> {
  await change(db, { key_check: check })
}

/** For a copy that a backup makes. */
export async function markCopied(db: Executor, now: number): Promise<void> {
  await change(db, { copied_at: now })
}

/**
 * A copy that lives on gets an id of its own: what the original keeps using stays the original's.
 */
export async function endCopy(db: Executor, now: number): Promise<DatabaseIdentity> {
  await change(db, {
    id: randomUUID(),
    copied_at: 0,
    sweeps_from: now + FIRST_DAY_SECONDS,
  })
  return makeIdentity(db, now)
}

/** After a rescue, which may have lost the row: what the data folder knows of its database. */
export async function setIdentity(
  db: Executor,
  known: Pick<DatabaseIdentity, 'id' | 'starts'> | undefined,
  now: number,
): Promise<void> {
  const found = await makeIdentity(db, now)
  const { id, starts } = known ?? found
  await change(db, {
    id,
    starts: Math.max(starts, found.starts),
    sweeps_from: now + FIRST_DAY_SECONDS,
  })
}

export async function postponeSweeps(db: Executor, now: number): Promise<void> {
  await change(db, { sweeps_from: now + FIRST_DAY_SECONDS })
}

async function change(db: Executor, changes: Changes<'database_identity'>): Promise<void> {
  await db.updateTable('database_identity').set(changes).where('only_one', '=', 1).execute()
}

/** Whether anybody could miss what was encrypted or hashed with the key. */
export async function hasAnyAccount(db: Executor): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}
