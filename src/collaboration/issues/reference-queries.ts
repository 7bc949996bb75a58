import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import type { IssueCondition } from './conditions.ts'

/** In lower case. */
export interface NamedIssue {
  readonly owner: string
  readonly repo: string
  readonly number: number
}

/** Their ids, but for those in archives and those of owners who blocked the author. */
export async function findNamed(
  db: Executor,
  named: readonly NamedIssue[],
  isSeen: IssueCondition,
  authorId: number,
): Promise<readonly number[]> {
  if (named.length === 0) return []
  const rows = await db
    .selectFrom('issue')
    .innerJoin('repository', 'repository.id', 'issue.repository_id')
    .select('issue.id')
    .where(isAmong(named))
    .where('repository.is_archived', '=', 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('block')
            .select('block.blocker_id')
            .whereRef('block.blocker_id', '=', 'repository.owner_id')
            .where('block.blocked_id', '=', authorId),
        ),
      ),
    )
    .where(isSeen)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those that are there, wherever they are. */
export async function findKnown(
  db: Executor,
  named: readonly NamedIssue[],
  isSeen: IssueCondition,
): Promise<readonly NamedIssue[]> {
  if (named.length === 0) return []
  return db
    .selectFrom('issue')
    .innerJoin('repository', 'repository.id', 'issue.repository_id')
    .select([
      'repository.owner_name as owner',
      'repository.lower_name as repo',
      'issue.number as number',
    ])
    .where(isAmong(named))
    .where(isSeen)
    .execute()
}

function isAmong(named: readonly NamedIssue[]) {
  return (eb: ExpressionBuilder<Schema, 'issue' | 'repository'>): Expression<SqlBool> =>
    eb.or(
      named.map(({ owner, repo, number }) =>
        eb.and([
          eb('repository.owner_name', '=', owner),
          eb('repository.lower_name', '=', repo),
          eb('issue.number', '=', number),
        ]),
      ),
    )
}
