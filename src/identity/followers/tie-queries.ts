import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'

/** Somebody, and what belongs to another. */
export interface Tie {
  readonly accountId: number
  readonly ownerId: number
}

function repositoriesOf(db: Executor, ownerId: number) {
  return db.selectFrom('repository').select('id').where('owner_id', '=', ownerId)
}

export async function deleteCollaborations(
  tx: Executor,
  { accountId, ownerId }: Tie,
): Promise<void> {
  await tx
    .deleteFrom('collaboration')
    .where('account_id', '=', accountId)
    .where('repository_id', 'in', repositoriesOf(tx, ownerId))
    .execute()
}

export async function deleteOffers(tx: Executor, { accountId, ownerId }: Tie): Promise<void> {
  await tx
    .deleteFrom('repository_transfer')
    .where('recipient_id', '=', accountId)
    .where('repository_id', 'in', repositoriesOf(tx, ownerId))
    .execute()
}

/** With the counts of both sides. */
export async function deleteMarks(
  tx: Executor,
  { accountId, ownerId }: Tie,
  { privateOnly }: { readonly privateOnly: boolean },
): Promise<void> {
  const all = repositoriesOf(tx, ownerId)
  const owned = privateOnly ? all.where('is_private', '=', 1) : all
  const drop = async (mark: 'star' | 'watch', column: 'stars_count' | 'watchers_count') => {
    const rows = await tx
      .deleteFrom(mark)
      .where('account_id', '=', accountId)
      .where('repository_id', 'in', owned)
      .returning('repository_id')
      .execute()
    await uncount(
      tx,
      column,
      rows.map((row) => row.repository_id),
    )
    return rows.length
  }
  await drop('watch', 'watchers_count')
  const stars = await drop('star', 'stars_count')
  await tx
    .updateTable('account')
    .set({ starred_repos_count: sql`starred_repos_count - ${stars}` })
    .where('id', '=', accountId)
    .execute()
}

async function uncount(
  tx: Executor,
  column: 'stars_count' | 'watchers_count',
  ids: readonly number[],
): Promise<void> {
  for (const some of partsOf(ids)) {
    await tx
      .updateTable('repository')
      .set({ [column]: sql`${sql.ref(column)} - 1` })
      .where('id', 'in', some)
      .execute()
  }
}

/** Gives the issues. */
export async function deleteAssignments(
  tx: Executor,
  { accountId, ownerId }: Tie,
): Promise<readonly number[]> {
  const rows = await tx
    .deleteFrom('issue_assignee')
    .where('account_id', '=', accountId)
    .where('issue_id', 'in', (eb) =>
      eb
        .selectFrom('issue')
        .select('issue.id')
        .where('issue.repository_id', 'in', repositoriesOf(tx, ownerId)),
    )
    .returning('issue_id')
    .execute()
  return rows.map((row) => row.issue_id)
}
