import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row, Schema } from '../../platform/db/schema.ts'
import { statementForIds } from '../../platform/db/statement.ts'
import type { IssueCondition } from '../issues/conditions.ts'
import { toProject, type Place, type Project } from './project.ts'

export type ProjectState = 'open' | 'closed' | 'all'

type ProjectCondition = (eb: ExpressionBuilder<Schema, 'project'>) => Expression<SqlBool>

function isIn({ kind, id }: Place): ProjectCondition {
  return (eb) => eb(kind === 'repository' ? 'repository_id' : 'owner_id', '=', id)
}

/** The newest first. */
export async function findProjectsIn(
  db: Executor,
  places: readonly Place[],
  state: ProjectState,
  page: Page,
): Promise<PageOf<Project>> {
  let query = db
    .selectFrom('project')
    .selectAll()
    .where((eb) => eb.or(places.map((place) => isIn(place)(eb))))
    .orderBy('id', 'desc')
  if (state !== 'all') query = query.where('is_closed', '=', state === 'closed' ? 1 : 0)
  return mapPage(await fetchPage(query, page), toProject)
}

export async function findProjects(
  db: Executor,
  ids: readonly number[],
): Promise<readonly Project[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('project').selectAll().where('id', 'in', ids).execute()
  return rows.map(toProject)
}

/** Of all that there are. */
export async function findProjectIds(
  db: Executor,
  places: readonly Place[],
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('project')
    .select('id')
    .where((eb) => eb.or(places.map((place) => isIn(place)(eb))))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const onBoards = statementForIds<Pick<Row<'project_card'>, 'issue_id'>>(
  'SELECT DISTINCT issue_id FROM project_card WHERE issue_id IN (*)',
)

/**
 * The boards on which each of the issues is, the oldest first, as far as `isShown` lets them
 * through.
 */
export async function findProjectsOf(
  db: Executor,
  issueIds: readonly number[],
  isShown: IssueCondition,
): Promise<ReadonlyMap<number, readonly Project[]>> {
  if (issueIds.length === 0) return new Map()
  // Most are on none, and what somebody may see takes longer to ask.
  const onSome = (await onBoards(db, issueIds)).map((row) => row.issue_id)
  if (onSome.length === 0) return new Map()
  const rows = await db
    .selectFrom('project_card')
    .innerJoin('project', 'project.id', 'project_card.project_id')
    .innerJoin('issue', 'issue.id', 'project_card.issue_id')
    .selectAll('project')
    .select('project_card.issue_id')
    .where('project_card.issue_id', 'in', onSome)
    .where(isShown)
    .orderBy('project.id')
    .execute()
  const byIssue = Map.groupBy(rows, (row) => row.issue_id)
  return new Map([...byIssue].map(([id, projects]) => [id, projects.map(toProject)]))
}

/** How many issues are on a board, of those that somebody may see. */
export interface Tally {
  readonly open: number
  readonly closed: number
}

export async function findTallies(
  db: Executor,
  projectIds: readonly number[],
  isShown: IssueCondition,
): Promise<ReadonlyMap<number, Tally>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('project_card')
    .innerJoin('issue', 'issue.id', 'project_card.issue_id')
    .select(['project_card.project_id', 'issue.is_closed', sql<number>`COUNT(*)`.as('count')])
    .where('project_card.project_id', 'in', projectIds)
    .where(isShown)
    .groupBy(['project_card.project_id', 'issue.is_closed'])
    .execute()
  const byProject = Map.groupBy(rows, (row) => row.project_id)
  const countOf = (counts: typeof rows, closed: 0 | 1) =>
    counts.find((row) => row.is_closed === closed)?.count ?? 0
  return new Map(
    [...byProject].map(([id, counts]) => [
      id,
      { open: countOf(counts, 0), closed: countOf(counts, 1) },
    ]),
  )
}

export async function insertProject(db: Executor, row: NewRow<'project'>): Promise<Project> {
  return toProject(
    await db.insertInto('project').values(row).returningAll().executeTakeFirstOrThrow(),
  )
}

export async function updateProject(
  db: Executor,
  id: number,
  changes: Changes<'project'>,
): Promise<Project | undefined> {
  const row = await db
    .updateTable('project')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toProject(row)
}

export async function deleteProject(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('project').where('id', '=', id).execute()
}
