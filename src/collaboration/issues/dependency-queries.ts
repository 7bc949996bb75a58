import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { IssueCondition } from './conditions.ts'
import { toIssue, type Issue } from './issue.ts'

/** Two issues, of which the first waits for the second. */
export interface Dependency {
  readonly issueId: number
  readonly dependsOnId: number
}

export async function hasOpenDependency(db: Executor, issueId: number): Promise<boolean> {
  const row = await db
    .selectFrom('issue_dependency')
    .innerJoin('issue', 'issue.id', 'issue_dependency.depends_on_id')
    .select('issue.id')
    .where('issue_dependency.issue_id', '=', issueId)
    .where('issue.is_closed', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}

/** False when it is there already. */
export async function insertDependency(
  db: Executor,
  { issueId, dependsOnId }: Dependency,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('issue_dependency')
    .values({ issue_id: issueId, depends_on_id: dependsOnId, created_at: now })
    .onConflict((conflict) => conflict.columns(['issue_id', 'depends_on_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False when there was none. */
export async function deleteDependency(
  db: Executor,
  { issueId, dependsOnId }: Dependency,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('issue_dependency')
    .where('issue_id', '=', issueId)
    .where('depends_on_id', '=', dependsOnId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Whether the first waits for the second, however many stand between them. */
export async function isWaitingFor(
  db: Executor,
  { issueId, dependsOnId }: Dependency,
): Promise<boolean> {
  const { rows } = await sql`
    WITH RECURSIVE awaited (id) AS (
      SELECT depends_on_id FROM issue_dependency WHERE issue_id = ${issueId}
      UNION
      SELECT issue_dependency.depends_on_id
        FROM issue_dependency
        JOIN awaited ON awaited.id = issue_dependency.issue_id
    )
    SELECT id FROM awaited WHERE id = ${dependsOnId}
  `.execute(db)
  return rows.length > 0
}

/**
 * The issues that one waits for, or those that wait for it, as far as `readable`; in the order they
 * were named.
 */
export async function listDependencies(
  db: Executor,
  issueId: number,
  direction: 'awaited' | 'waiting',
  readable: IssueCondition,
  page: Page,
): Promise<PageOf<Issue>> {
  const [own, other] =
    direction === 'awaited'
      ? (['issue_id', 'depends_on_id'] as const)
      : (['depends_on_id', 'issue_id'] as const)
  const query = db
    .selectFrom('issue')
    .innerJoin('issue_dependency', `issue_dependency.${other}`, 'issue.id')
    .selectAll('issue')
    .where(`issue_dependency.${own}`, '=', issueId)
    .where((eb) => readable(eb as never))
    .orderBy('issue_dependency.created_at')
    .orderBy('issue.id')
  return mapPage(await fetchPage(query, page), toIssue)
}
