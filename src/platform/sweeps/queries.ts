import type { Executor } from '../db/database.ts'
import type { Row } from '../db/schema.ts'

export type HeldSweep = Row<'held_sweep'>

export async function findHeld(db: Executor, name: string): Promise<HeldSweep | undefined> {
  return db.selectFrom('held_sweep').selectAll().where('name', '=', name).executeTakeFirst()
}

export async function listHeld(db: Executor): Promise<readonly HeldSweep[]> {
  return db.selectFrom('held_sweep').selectAll().orderBy('name').execute()
}

/** What a person has allowed before was about another number. */
export async function holdSweep(
  db: Executor,
  held: { name: string; strays: number; total: number; held_at: number },
): Promise<void> {
  const row = { ...held, allowed_at: 0 }
  await db
    .insertInto('held_sweep')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

export async function forgetHeld(db: Executor, name: string): Promise<void> {
  await db.deleteFrom('held_sweep').where('name', '=', name).execute()
}

/** False when no such sweep is held. */
export async function allowHeld(db: Executor, name: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('held_sweep')
    .set({ allowed_at: now })
    .where('name', '=', name)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
