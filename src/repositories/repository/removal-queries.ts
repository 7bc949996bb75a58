import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { RepositoryCondition } from './conditions.ts'

/** All of an owner, or what is visible of it; says how many were not marked yet. */
export async function insertRemovals(
  db: Executor,
  ownerId: number,
  visible: RepositoryCondition = () => sql<SqlBool>`1 = 1`,
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('repository_removal')
    .columns(['repository_id', 'owner_id'])
    .expression((eb) =>
      eb
        .selectFrom('repository')
        .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
        .select(['repository.id', 'repository.owner_id'])
        .where(visible)
        .where('repository.owner_id', '=', ownerId),
    )
    .onConflict((conflict) => conflict.column('repository_id').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

/** In the order of their numbers, the one after `after`. */
export async function findNextRemoval(
  db: Executor,
  ownerId: number,
  after: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('repository_removal')
    .select('repository_id')
    .where('owner_id', '=', ownerId)
    .where('repository_id', '>', after)
    .orderBy('repository_id')
    .limit(1)
    .executeTakeFirst()
  return row?.repository_id
}

export async function deleteRemoval(db: Executor, repositoryId: number): Promise<void> {
  await db.deleteFrom('repository_removal').where('repository_id', '=', repositoryId).execute()
}

/** Until the transaction ends nobody hands it over; false when somebody has, or it is gone. */
export async function holdOwned(
  db: Executor,
  { id, ownerId }: { readonly id: number; readonly ownerId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('repository')
    .set({ updated_at: sql`updated_at` })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
