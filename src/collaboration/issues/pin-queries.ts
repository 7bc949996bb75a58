import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { toIssue, type Issue } from './issue.ts'

type Kind = Pick<Issue, 'repositoryId' | 'isPull'>

export async function listPinned(
  db: Executor,
  { repositoryId, isPull }: Kind,
): Promise<readonly Issue[]> {
  const rows = await db
    .selectFrom('issue')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('is_pull', '=', isPull ? 1 : 0)
    .where('pin_order', '>', 0)
    .orderBy('pin_order')
    .execute()
  return rows.map(toIssue)
}

/** Those behind a place that has become free move up. */
export async function closeGap(
  db: Executor,
  { repositoryId, isPull }: Kind,
  position: number,
): Promise<void> {
  await db
    .updateTable('issue')
    .set({ pin_order: sql`pin_order - 1` })
    .where('repository_id', '=', repositoryId)
    .where('is_pull', '=', isPull ? 1 : 0)
    .where('pin_order', '>', position)
    .execute()
}

/** Those from a place on make room for another. */
export async function openGap(
  db: Executor,
  { repositoryId, isPull }: Kind,
  position: number,
): Promise<void> {
  await db
    .updateTable('issue')
    .set({ pin_order: sql`pin_order + 1` })
    .where('repository_id', '=', repositoryId)
    .where('is_pull', '=', isPull ? 1 : 0)
    .where('pin_order', '>=', position)
    .execute()
}

export async function setPinOrder(db: Executor, id: number, position: number): Promise<void> {
  await db.updateTable('issue').set({ pin_order: position }).where('id', '=', id).execute()
}
