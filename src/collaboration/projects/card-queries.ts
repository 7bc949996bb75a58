import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { IssueCondition } from '../issues/conditions.ts'

/** An issue on a board. */
export interface Card {
  readonly projectId: number
  readonly columnId: number
}

export async function findCards(db: Executor, issueId: number): Promise<readonly Card[]> {
  return db
    .selectFrom('project_card')
    .select(['project_id as projectId', 'column_id as columnId'])
    .where('issue_id', '=', issueId)
    .execute()
}

/** The ids of the issues in a column, from top to bottom. */
export async function findIssuesIn(
  db: Executor,
  columnId: number,
  isShown: IssueCondition,
  page: Page,
): Promise<PageOf<number>> {
  const query = db
    .selectFrom('project_card')
    .innerJoin('issue', 'issue.id', 'project_card.issue_id')
    .select('issue.id')
    .where('project_card.column_id', '=', columnId)
    .where(isShown)
    .orderBy('project_card.sorting')
    .orderBy('project_card.id', 'desc')
  return mapPage(await fetchPage(query, page), ({ id }) => id)
}

/** One of the first cards of a column, and how many it has. */
export interface BoardCard {
  readonly issueId: number
  readonly columnId: number
  readonly total: number
}

/** From top to bottom, at most so many of each column. */
export async function findBoard(
  db: Executor,
  projectId: number,
  isShown: IssueCondition,
  perColumn: number,
): Promise<readonly BoardCard[]> {
  const numbered = db
    .selectFrom('project_card')
    .innerJoin('issue', 'issue.id', 'project_card.issue_id')
    .select(['issue.id as issueId', 'project_card.column_id as columnId'])
    .select((eb) => [
      eb.fn
        .countAll<number>()
        .over((over) => over.partitionBy('column_id'))
        .as('total'),
      eb.fn
        .agg<number>('ROW_NUMBER')
        .over((over) =>
          over
            .partitionBy('column_id')
            .orderBy('project_card.sorting')
            .orderBy('project_card.id', 'desc'),
        )
        .as('place'),
    ])
    .where('project_card.project_id', '=', projectId)
    .where(isShown)
  return db
    .selectFrom(numbered.as('card'))
    .select(['issueId', 'columnId', 'total'])
    .where('place', '<=', perColumn)
    .orderBy('place')
    .execute()
}

/** Makes room above the card of an issue, if it is in the column; where that is then. */
export async function makeRoom(
  db: Executor,
  columnId: number,
  aboveIssueId: number,
): Promise<number | undefined> {
  const card = await db
    .selectFrom('project_card')
    .select(['id', 'sorting'])
    .where('column_id', '=', columnId)
    .where('issue_id', '=', aboveIssueId)
    .executeTakeFirst()
  if (!card) return undefined
  await db
    .updateTable('project_card')
    .set({ sorting: sql<number>`sorting + 2` })
    .where('column_id', '=', columnId)
    .where((eb) =>
      eb.or([
        eb('sorting', '>', card.sorting),
        eb.and([eb('sorting', '=', card.sorting), eb('id', '<=', card.id)]),
      ]),
    )
    .execute()
  return card.sorting + 1
}

interface Place {
  readonly projectId: number
  readonly columnId: number
  /** Absent: below all others. */
  readonly sorting?: number | undefined
}

/** Puts an issue into a column; if it is on the board already, it is moved there. */
export async function putCard(
  db: Executor,
  issueId: number,
  { projectId, columnId, sorting }: Place,
): Promise<void> {
  const below = sql<number>`(SELECT COALESCE(MAX(sorting) + 1, 0) FROM project_card WHERE column_id = ${columnId})`
  const place = { column_id: columnId, sorting: sorting ?? below }
  await db
    .insertInto('project_card')
    .values({ project_id: projectId, issue_id: issueId, ...place })
    .onConflict((conflict) => conflict.columns(['project_id', 'issue_id']).doUpdateSet(place))
    .execute()
}

/** Those of the boards that are its repository's own, or of whoever owns that now. */
export async function findBoardsFor(
  db: Executor,
  issueId: number,
  projectIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (projectIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('project')
    .innerJoin('repository', (join) =>
      join.on((eb) =>
        eb.or([
          eb('repository.id', '=', eb.ref('project.repository_id')),
          eb('repository.owner_id', '=', eb.ref('project.owner_id')),
        ]),
      ),
    )
    .innerJoin('issue', 'issue.repository_id', 'repository.id')
    .select('project.id')
    .where('issue.id', '=', issueId)
    .where('project.id', 'in', projectIds)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Puts an issue below all others in the first column of each of the boards, on none of which it is
 * yet.
 */
export async function addCards(
  db: Executor,
  issueId: number,
  projectIds: readonly number[],
): Promise<void> {
  if (projectIds.length === 0) return
  const below = sql<number>`(SELECT COALESCE(MAX(sorting) + 1, 0) FROM project_card WHERE column_id = project_column.id)`
  await db
    .insertInto('project_card')
    .columns(['project_id', 'column_id', 'issue_id', 'sorting'])
    .expression(
      db
        .selectFrom('project_column')
        .select(['project_id', 'id', sql<number>`CAST(${issueId} AS bigint)`.as('issue_id')])
        .select(below.as('sorting'))
        .where('is_default', '=', 1)
        .where('project_id', 'in', projectIds),
    )
    .execute()
}

/** What is in one column goes below what is in another, in the same order. */
export async function moveCards(db: Executor, from: number, to: number): Promise<void> {
  const { first, below } = await db
    .selectFrom('project_card')
    .select([
      sql<number>`COALESCE(MIN(CASE column_id WHEN ${from} THEN sorting END), 0)`.as('first'),
      sql<number>`COALESCE(MAX(CASE column_id WHEN ${to} THEN sorting END) + 1, 0)`.as('below'),
    ])
    .where('column_id', 'in', [from, to])
    .executeTakeFirstOrThrow()
  await db
    .updateTable('project_card')
    .set({ column_id: to, sorting: sql<number>`sorting + CAST(${below - first} AS bigint)` })
    .where('column_id', '=', from)
    .execute()
}

export async function deleteCards(
  db: Executor,
  issueId: number,
  projectIds: readonly number[],
): Promise<void> {
  if (projectIds.length === 0) return
  await db
    .deleteFrom('project_card')
    .where('issue_id', '=', issueId)
    .where('project_id', 'in', projectIds)
    .execute()
}

/** Of all issues of a repository, on the boards of an account. */
export async function deleteCardsOf(
  db: Executor,
  { repositoryId, ownerId }: { readonly repositoryId: number; readonly ownerId: number },
): Promise<void> {
  await db
    .deleteFrom('project_card')
    .where('project_id', 'in', (eb) =>
      eb.selectFrom('project').select('project.id').where('project.owner_id', '=', ownerId),
    )
    // Asked for each card: SQLite would look for every issue of the repository on every board.
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('issue')
          .select('issue.id')
          .whereRef('issue.id', '=', 'project_card.issue_id')
          .where('issue.repository_id', '=', repositoryId),
      ),
    )
    .execute()
}
