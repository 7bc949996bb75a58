import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement, statementForIds } from '../../platform/db/statement.ts'
import { toMilestone, type Milestone } from './milestone.ts'

export interface MilestoneFilter {
  readonly state: 'open' | 'closed' | 'all'
  /** A part of the title, in any letter case. */
  readonly name: string
}

function milestonesOf(db: Executor, repositoryId: number) {
  return db.selectFrom('milestone').selectAll().where('repository_id', '=', repositoryId)
}

/** Those without a due date first. */
export async function findMilestonesIn(
  db: Executor,
  repositoryId: number,
  { state, name }: MilestoneFilter,
  page: Page,
): Promise<PageOf<Milestone>> {
  let query = milestonesOf(db, repositoryId).orderBy('due_at').orderBy('title').orderBy('id')
  if (state !== 'all') query = query.where('is_closed', '=', state === 'closed' ? 1 : 0)
  if (name !== '') query = query.where(contains(sql.ref('lower_title'), name.toLowerCase()))
  return mapPage(await fetchPage(query, page), toMilestone)
}

const selectOne = statement<Row<'milestone'>>(
  'SELECT * FROM milestone WHERE repository_id = ? AND id = ?',
)

export async function findMilestone(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<Milestone | undefined> {
  const [row] = await selectOne(db, repositoryId, id)
  return row && toMilestone(row)
}

export async function findMilestoneByTitle(
  db: Executor,
  repositoryId: number,
  title: string,
): Promise<Milestone | undefined> {
  const row = await milestonesOf(db, repositoryId)
    .where('title', '=', title)
    .orderBy('id')
    .executeTakeFirst()
  return row && toMilestone(row)
}

export async function findTitled(
  db: Executor,
  repositoryId: number,
  titles: readonly string[],
): Promise<readonly Milestone[]> {
  const rows = await milestonesOf(db, repositoryId).where('title', 'in', titles).execute()
  return rows.map(toMilestone)
}

export async function findMilestonesOf(
  db: Executor,
  repositoryId: number,
  ids: readonly number[],
): Promise<readonly Milestone[]> {
  if (ids.length === 0) return []
  const rows = await milestonesOf(db, repositoryId).where('id', 'in', ids).execute()
  return rows.map(toMilestone)
}

const selectByIds = statementForIds<Row<'milestone'>>('SELECT * FROM milestone WHERE id IN (*)')

export async function findMilestones(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Milestone>> {
  if (ids.length === 0) return new Map()
  const rows = await selectByIds(db, ids)
  return new Map(rows.map((row) => [row.id, toMilestone(row)]))
}

export async function insertMilestone(db: Executor, row: NewRow<'milestone'>): Promise<Milestone> {
  return toMilestone(
    await db.insertInto('milestone').values(row).returningAll().executeTakeFirstOrThrow(),
  )
}

export async function updateMilestone(
  db: Executor,
  id: number,
  changes: Changes<'milestone'>,
): Promise<Milestone | undefined> {
  const row = await db
    .updateTable('milestone')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toMilestone(row)
}

export async function deleteMilestone(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('milestone').where('id', '=', id).execute()
}

export async function addToCount(
  db: Executor,
  id: number,
  column: 'open_issues_count' | 'closed_issues_count',
  difference: 1 | -1,
): Promise<void> {
  await db
    .updateTable('milestone')
    .set({ [column]: sql`${sql.ref(column)} + ${difference}` })
    .where('id', '=', id)
    .execute()
}
