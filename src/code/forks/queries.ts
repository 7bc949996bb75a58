import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import { toRepository, type Repository } from '../../repositories/repository/repository.ts'

export async function findForkBy(
  db: Executor,
  baseId: number,
  ownerId: number,
): Promise<Repository | undefined> {
  const row = await db
    .selectFrom('repository')
    .selectAll()
    .where('fork_of', '=', baseId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  return row && toRepository(row)
}

/** What of a base's row its forks begin with. */
export async function findBaseRow(
  db: Executor,
  id: number,
): Promise<Row<'repository'> | undefined> {
  return db.selectFrom('repository').selectAll().where('id', '=', id).executeTakeFirst()
}
