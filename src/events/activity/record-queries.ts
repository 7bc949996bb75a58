import type { Executor } from '../../platform/db/database.ts'
import { partsOf, writeInTurns } from '../../platform/db/parts.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { statementForRows } from '../../platform/db/statement.ts'

const insertRows = statementForRows<never>(
  `INSERT INTO activity (repository_id, account_id, kind, ref_name, content, is_private, issue_id, comment_id, created_at, owner_id)
  VALUES (*)`,
  '(?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT owner_id FROM repository WHERE id = ?))',
)

function valuesOf(row: NewRow<'activity'>): readonly unknown[] {
  const { repository_id: id, ref_name = '', content = '', is_private = 0 } = row
  const about = [row.issue_id, row.comment_id]
  return [id, row.account_id, row.kind, ref_name, content, is_private, ...about, row.created_at, id]
}

export async function insertActivities(
  db: Executor,
  rows: readonly NewRow<'activity'>[],
): Promise<void> {
  await writeInTurns(rows, (some) => insertRows(db, some.map(valuesOf)))
}

/** The refs of a repository of which something was recorded since. */
export async function findRefsSince(
  db: Executor,
  repositoryId: number,
  since: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('activity')
    .select('ref_name')
    .distinct()
    .where('repository_id', '=', repositoryId)
    .where('created_at', '>=', since)
    .execute()
  return new Set(rows.map((row) => row.ref_name))
}

/** What was recorded of a repository that becomes private stays private for good. */
export async function hideActivities(
  db: Executor,
  repositoryIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('activity')
    .set({ is_private: 1 })
    .where('repository_id', 'in', repositoryIds)
    .execute()
}

export async function updateOwner(
  db: Executor,
  repositoryId: number,
  ownerId: number,
): Promise<void> {
  await db
    .updateTable('activity')
    .set({ owner_id: ownerId })
    .where('repository_id', '=', repositoryId)
    .execute()
}

export async function deleteOfRefs(
  db: Executor,
  repositoryId: number,
  kind: string,
  refNames: readonly string[],
): Promise<void> {
  for (const some of partsOf(refNames)) {
    await db
      .deleteFrom('activity')
      .where('repository_id', '=', repositoryId)
      .where('kind', '=', kind)
      .where('ref_name', 'in', some)
      .execute()
  }
}

export async function updateRef(
  db: Executor,
  repositoryId: number,
  kind: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await db
    .updateTable('activity')
    .set({ ref_name: to })
    .where('repository_id', '=', repositoryId)
    .where('kind', '=', kind)
    .where('ref_name', '=', from)
    .execute()
}
