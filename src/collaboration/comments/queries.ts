import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row, Schema } from '../../platform/db/schema.ts'
import { statement, statementForIds } from '../../platform/db/statement.ts'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { IssueCondition } from '../issues/conditions.ts'
import { toComment, type Comment, type EventDetails, type EventKind } from './comment.ts'

export interface TimeSpan {
  /** Seconds, both inclusive. */
  readonly since?: number | undefined
  readonly before?: number | undefined
}

/** In the order of the rows. */
export async function insertComments(
  db: Executor,
  rows: readonly NewRow<'comment'>[],
): Promise<readonly number[]> {
  if (rows.length === 0) return []
  const made = await db.insertInto('comment').values(rows).returning('id').execute()
  return made.map(({ id }) => id)
}

type ReferenceRow = Omit<
  Row<'comment'>,
  'id' | 'issue_id' | 'repository_id' | 'body' | 'lower_text'
> & {
  readonly author_id: number
  readonly ref_issue_id: number
}

/** For each of the issues that are still there; those who have one stay as they are. */
export async function insertReferences(
  db: Executor,
  issueIds: readonly number[],
  row: ReferenceRow,
): Promise<void> {
  if (issueIds.length === 0) return
  const number = (value: number) => sql<number>`CAST(${value} AS bigint)`
  await db
    .insertInto('comment')
    .columns([
      'issue_id',
      'author_id',
      'kind',
      'details',
      'ref_issue_id',
      'created_at',
      'updated_at',
    ])
    .expression(
      db
        .selectFrom('issue')
        .select([
          'issue.id',
          number(row.author_id).as('author_id'),
          sql<string>`CAST(${row.kind} AS text)`.as('kind'),
          sql<string>`CAST(${row.details} AS text)`.as('details'),
          number(row.ref_issue_id).as('ref_issue_id'),
          number(row.created_at).as('created_at'),
          number(row.updated_at).as('updated_at'),
        ])
        .where('issue.id', 'in', issueIds),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['issue_id', 'ref_issue_id'])
        .where('ref_issue_id', 'is not', null)
        .doNothing(),
    )
    .execute()
}

export async function insertComment(db: Executor, row: NewRow<'comment'>): Promise<Comment> {
  return toComment(
    await db.insertInto('comment').values(row).returningAll().executeTakeFirstOrThrow(),
  )
}

const saidOf = statement<Row<'comment'>>(`
  SELECT * FROM comment
  WHERE issue_id = ? AND kind = 'comment' AND updated_at BETWEEN ? AND ?
  ORDER BY created_at, id`)

/** What was said, oldest first. */
export async function listCommentsOf(
  db: Executor,
  issueId: number,
  span: TimeSpan,
): Promise<readonly Comment[]> {
  const rows = await saidOf(db, issueId, ...boundsOf(span))
  return rows.map(toComment)
}

/**
 * What was said in a whole repository, on the kinds of issues that the caller reads; oldest first.
 */
export async function listCommentsIn(
  db: Executor,
  repositoryId: number,
  kinds: { readonly issues: boolean; readonly pulls: boolean },
  span: TimeSpan,
  page: Page,
): Promise<PageOf<Comment>> {
  let query = db
    .selectFrom('comment')
    .select('comment.id')
    .where('comment.repository_id', '=', repositoryId)
    .where((eb) => isWithin(eb, span))
    .orderBy('comment.created_at')
    .orderBy('comment.id')
  const pulls = db
    .selectFrom('issue')
    .select('issue.id')
    .where('issue.repository_id', '=', repositoryId)
    .where('issue.is_pull', '=', 1)
  if (!kinds.issues) query = query.where('comment.issue_id', 'in', pulls)
  if (!kinds.pulls) query = query.where('comment.issue_id', 'not in', pulls)
  const { items, total } = await fetchPage(query, page)
  const comments = await findComments(
    db,
    items.map(({ id }) => id),
  )
  return { items: items.flatMap(({ id }) => comments.get(id) ?? []), total }
}

const selectByIds = statementForIds<Row<'comment'>>('SELECT * FROM comment WHERE id IN (*)')

async function findComments(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Comment>> {
  if (ids.length === 0) return new Map()
  const rows = await selectByIds(db, ids)
  return new Map(rows.map((row) => [row.id, toComment(row)]))
}

/** Who reads about an issue. */
export interface Reader {
  /** Which other issues they read. */
  readonly isSeen: IssueCondition
  readonly readsCode: boolean
}

/**
 * Everything about one issue; comments on code are read with their reviews. References are shown to
 * those who read what they come from.
 */
function timelineIn(db: Executor, issueId: number, { isSeen, readsCode }: Reader) {
  const hidden = readsCode ? ['code'] : ['code', 'commit_ref']
  return db
    .selectFrom('comment')
    .where('comment.issue_id', '=', issueId)
    .where('comment.kind', 'not in', hidden)
    .where((eb) =>
      eb.or([
        eb('comment.ref_issue_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('issue')
            .select('issue.id')
            .whereRef('issue.id', '=', 'comment.ref_issue_id')
            .where(isSeen),
        ),
      ]),
    )
}

/** Oldest first. */
export async function listTimeline(
  db: Executor,
  issueId: number,
  reader: Reader,
  span: TimeSpan,
  page: Page,
): Promise<readonly Comment[]> {
  const rows = await timelineIn(db, issueId, reader)
    .selectAll('comment')
    .where((eb) => isWithin(eb, span))
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(toComment)
}

export async function countTimeline(
  db: Executor,
  issueId: number,
  reader: Reader,
): Promise<number> {
  const { entries } = await timelineIn(db, issueId, reader)
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return entries
}

export async function findLastComments(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (issueIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('comment')
    .select((eb) => ['issue_id', eb.fn.max('id').as('last')])
    .where('issue_id', 'in', issueIds)
    .where('kind', '=', 'comment')
    .groupBy('issue_id')
    .execute()
  return new Map(rows.map((row) => [row.issue_id, row.last]))
}

export async function findComment(db: Executor, id: number): Promise<Comment | undefined> {
  const [row] = await selectByIds(db, [id])
  return row && toComment(row)
}

export async function updateComment(
  db: Executor,
  id: number,
  changes: { body: string; lower_text: string; updated_at: number },
): Promise<Comment | undefined> {
  const row = await db
    .updateTable('comment')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toComment(row)
}

export async function deleteComment(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('comment').where('id', '=', id).execute()
}

/** The first and the last second within it. */
function boundsOf({ since, before }: TimeSpan): readonly [number, number] {
  return [since ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER]
}

function isWithin<T extends keyof Schema>(
  builder: ExpressionBuilder<Schema, T | 'comment'>,
  { since, before }: TimeSpan,
): Expression<SqlBool> {
  const eb = builder as unknown as ExpressionBuilder<Schema, 'comment'>
  return eb.and([
    ...(since === undefined ? [] : [eb('comment.updated_at', '>=', since)]),
    ...(before === undefined ? [] : [eb('comment.updated_at', '<=', before)]),
  ])
}

/** Of all entries of one kind. */
export async function findDetails(
  db: Executor,
  issueId: number,
  kind: EventKind,
): Promise<readonly EventDetails[]> {
  const rows = await db
    .selectFrom('comment')
    .select('details')
    .where('issue_id', '=', issueId)
    .where('kind', '=', kind)
    .execute()
  return rows.map(({ details }) => JSON.parse(details) as EventDetails)
}
