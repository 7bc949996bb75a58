import { sql } from 'kysely'
import type { Database, Executor } from '../../platform/db/database.ts'
import { fetchPage, fetchPageAside, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement, statementForIds } from '../../platform/db/statement.ts'
import type { IssueCondition, Wanted } from './conditions.ts'
import { toIssue, type Issue } from './issue.ts'

const orders = {
  newest: ['created_at', 'desc'],
  oldest: ['created_at', 'asc'],
  updated: ['updated_at', 'desc'],
  comments: ['comments_count', 'desc'],
} as const

export type IssueOrder = keyof typeof orders

/** Newest first, unless it says otherwise. */
export interface IssuePage extends Page {
  readonly order?: IssueOrder
}

type Countable = Pick<Issue, 'repositoryId' | 'isPull'>

/**
 * The number of one that is opened, which is counted at once; until the transaction ends nobody
 * else takes one.
 */
export async function takeNumber(
  tx: Executor,
  { repositoryId, isPull }: Countable,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('repository')
    .set({ last_issue_number: sql`last_issue_number + 1`, ...openBy(isPull, 1) })
    .where('id', '=', repositoryId)
    .returning('last_issue_number')
    .executeTakeFirst()
  return row?.last_issue_number
}

export async function insertIssue(db: Executor, row: NewRow<'issue'>): Promise<Issue> {
  return toIssue(await db.insertInto('issue').values(row).returningAll().executeTakeFirstOrThrow())
}

/** All that a record shows; what searches look into is as long as the text itself. */
const shown = [
  'id',
  'repository_id',
  'number',
  'is_pull',
  'author_id',
  'title',
  'body',
  'ref',
  'milestone_id',
  'is_closed',
  'closed_at',
  'due_at',
  'is_locked',
  'comments_count',
  'time_estimate',
  'pin_order',
  'content_version',
  'created_at',
  'updated_at',
] as const

type IssueRow = Pick<Row<'issue'>, (typeof shown)[number]>

const selectByNumber = statement<IssueRow>(
  `SELECT ${shown.join()} FROM issue WHERE repository_id = ? AND number = ?`,
)

export async function findIssue(
  db: Executor,
  repositoryId: number,
  number: number,
): Promise<Issue | undefined> {
  const [row] = await selectByNumber(db, repositoryId, number)
  return row && toIssue(row)
}

const selectByIds = statementForIds<IssueRow>(`SELECT ${shown.join()} FROM issue WHERE id IN (*)`)

export async function findIssueById(db: Executor, id: number): Promise<Issue | undefined> {
  const [row] = await selectByIds(db, [id])
  return row && toIssue(row)
}

export async function findIssues(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Issue>> {
  if (ids.length === 0) return new Map()
  const rows = await selectByIds(db, ids)
  return new Map(rows.map((row) => [row.id, toIssue(row)]))
}

export async function findReadable(
  db: Executor,
  ids: readonly number[],
  readable: IssueCondition,
): Promise<readonly Issue[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('issue')
    .selectAll()
    .where('id', 'in', ids)
    .where(readable)
    .execute()
  return rows.map(toIssue)
}

export async function updateIssue(
  db: Executor,
  id: number,
  changes: Changes<'issue'>,
  { isNewVersion = false } = {},
): Promise<Issue | undefined> {
  const row = await db
    .updateTable('issue')
    .set(changes)
    // Counted where it is kept: an attachment that comes at the same time counts too.
    .$if(isNewVersion, (issue) => issue.set({ content_version: sql`content_version + 1` }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toIssue(row)
}

export async function addToComments(
  db: Executor,
  id: number,
  difference: 1 | -1,
  now: number,
): Promise<void> {
  await db
    .updateTable('issue')
    .set({ comments_count: sql`comments_count + ${difference}`, updated_at: now })
    .where('id', '=', id)
    .execute()
}

const raiseContentVersionOf = statement(
  'UPDATE issue SET content_version = content_version + 1, updated_at = ? WHERE id = ?',
)

/** What an edit of its text or an attachment does to an issue. */
export async function addToContentVersion(db: Executor, id: number, now: number): Promise<void> {
  await raiseContentVersionOf(db, now, id)
}

/** False when it was gone already. */
export async function deleteIssue(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('issue').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Some of a repository's; how many they were. */
export async function deleteSomeOf(
  db: Executor,
  repositoryId: number,
  most: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('issue')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('issue as one')
        .select('one.id')
        .where('one.repository_id', '=', repositoryId)
        .limit(most),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** How many of a repository's issues or pull requests are open. */
export async function addToOpen(
  db: Executor,
  { repositoryId, isPull }: Countable,
  difference: 1 | -1,
): Promise<void> {
  await db
    .updateTable('repository')
    .set(openBy(isPull, difference))
    .where('id', '=', repositoryId)
    .execute()
}

function openBy(isPull: boolean, difference: 1 | -1) {
  const column = isPull ? 'open_pulls_count' : 'open_issues_count'
  return { [column]: sql<number>`${sql.ref(column)} + ${difference}` }
}

/** The page that is wanted, and how many there are. */
export async function listIssues(
  db: Database,
  { conditions, ofPlace, isWide }: Wanted,
  { order, ...page }: IssuePage,
): Promise<PageOf<Issue>> {
  const query = idsOf(db, ofPlace ? [...conditions, ofPlace] : conditions, order)
  const count = ofPlace && countByPlace(db, conditions, ofPlace)
  const isLong = isWide && (await hasMany(db))
  const { items, total } = await (isLong
    ? fetchPageAside(db, query, page, count)
    : fetchPage(query, page))
  const issues = await findIssues(
    db,
    items.map(({ id }) => id),
  )
  return { items: items.flatMap(({ id }) => issues.get(id) ?? []), total }
}

/** What is sorted are ids alone: the texts of all matches would be much to carry around. */
export function idsOf(
  db: Executor,
  conditions: readonly IssueCondition[],
  order: IssueOrder = 'newest',
) {
  const [column, direction] = orders[order]
  let query = db
    .selectFrom('issue')
    .select('issue.id')
    .orderBy(`issue.${column}`, direction)
    .orderBy('issue.id', direction)
  for (const condition of conditions) query = query.where(condition)
  return query
}

/**
 * Whoever reads one issue of a repository reads all of its kind there: that is asked once for all
 * of them.
 */
function countByPlace(
  db: Executor,
  conditions: readonly IssueCondition[],
  ofPlace: IssueCondition,
) {
  let places = db
    .selectFrom('issue')
    .select(['issue.repository_id', 'issue.is_pull', (eb) => eb.fn.countAll().as('issues')])
    .groupBy(['issue.repository_id', 'issue.is_pull'])
  for (const condition of conditions) places = places.where(condition)
  return db
    .selectFrom(places.as('issue'))
    .select(sql<number>`CAST(coalesce(sum(issue.issues), 0) AS bigint)`.as('total'))
    .where((eb) => ofPlace(eb as never))
}

/** Of all repositories together; to look through fewer takes some milliseconds. */
const MANY = 5000

/** There may be fewer than the last id says, which costs nothing to find. */
async function hasMany(db: Executor): Promise<boolean> {
  const { last } = await db
    .selectFrom('issue')
    .select((eb) => eb.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) > MANY
}
