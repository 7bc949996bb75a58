import { sql, type SelectQueryBuilder } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes, Schema } from '../../platform/db/schema.ts'

/** Mirrors and push mirrors: they wait for their turns, and are held, in the same way. */
type Table = 'mirror' | 'push_mirror'

/** A record that somebody has claimed. */
interface Claimed {
  readonly id?: number
  readonly repository_id: number
  readonly holder: string
  readonly interval_seconds: number
}

/** A mirror is known by its repository, which may have many push mirrors. */
function keyOf(table: Table): 'repository_id' | 'id' {
  return table === 'mirror' ? 'repository_id' : 'id'
}

/** False for who has lost the mirror to another meanwhile: what they bring comes too late. */
export async function updateHeld<T extends Table>(
  db: Executor,
  table: T,
  claimed: Claimed,
  changes: Changes<T>,
): Promise<boolean> {
  const { numUpdatedRows } = await held(db, table, claimed).set(changes).executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Like `updateHeld`, at the end: from then on the mirror is nobody's. An interval that was changed
 * meanwhile has set the next time itself.
 */
export async function finishHeld<T extends Table>(
  db: Executor,
  table: T,
  claimed: Claimed,
  { nextAt, ...changes }: Omit<Changes<T>, 'next_at'> & { readonly nextAt?: number },
): Promise<boolean> {
  const next = sql<number>`CASE WHEN interval_seconds = ${claimed.interval_seconds} THEN ${nextAt} ELSE next_at END`
  const { numUpdatedRows } = await held(db, table, claimed)
    .set({ ...changes, lease_until: 0, holder: '' })
    .$if(nextAt !== undefined, (query) => query.set({ next_at: next }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function held(db: Executor, table: Table, { id, repository_id, holder }: Claimed) {
  return db
    .updateTable<Table>(table)
    .where(keyOf(table), '=', id ?? repository_id)
    .where('holder', '=', holder)
}

/** Marks the chosen ones as waiting for their jobs, and says which were not. */
export async function markQueued(
  db: Executor,
  table: Table,
  chosen: SelectQueryBuilder<Schema, Table, { id: number }>,
): Promise<readonly number[]> {
  const rows = await db
    .updateTable<Table>(table)
    .set({ is_queued: 1 })
    .where(keyOf(table), 'in', chosen)
    .where('is_queued', '=', 0)
    .returning((eb) => eb.ref(keyOf(table)).as('id'))
    .execute()
  return rows.map(({ id }) => id)
}

/** Like `markQueued`, of those whose time has come, as many as `limit`. */
export async function markDue(
  db: Executor,
  table: Table,
  now: number,
  limit: number,
): Promise<readonly number[]> {
  const due = db
    .selectFrom<Table>(table)
    .select((eb) => eb.ref(keyOf(table)).as('id'))
    .where('next_at', '>', 0)
    .where('next_at', '<=', now)
    .where('is_queued', '=', 0)
    .where('lease_until', '<=', now)
    .orderBy('next_at')
    .limit(limit)
  return markQueued(db, table, due)
}

/** False when it is waiting already. */
export async function markOneQueued(db: Executor, table: Table, key: number): Promise<boolean> {
  const chosen = db
    .selectFrom<Table>(table)
    .select((eb) => eb.ref(keyOf(table)).as('id'))
    .where(keyOf(table), '=', key)
  return (await markQueued(db, table, chosen)).length > 0
}
