import type { Executor } from '../db/database.ts'
import type { NewRow } from '../db/schema.ts'
import { deleteCollaboration, upsertCollaboration } from './relation-queries.ts'

/** Adds a collaborator, or changes the level; the caller decides what else is atomic with it. */
export async function setCollaboration(tx: Executor, row: NewRow<'collaboration'>): Promise<void> {
  await upsertCollaboration(tx, row)
}

export async function endCollaboration(
  tx: Executor,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await deleteCollaboration(tx, repositoryId, accountId)
}

/** Like `endCollaboration`, of who only reads; who was given more keeps it. */
export async function endReading(
  tx: Executor,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await deleteCollaboration(tx, repositoryId, accountId, 'read')
}
