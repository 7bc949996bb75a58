import { sql, type ExpressionBuilder } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row, Schema } from '../../platform/db/schema.ts'

export type Schedule = Row<'action_schedule'>
export type Run = Row<'action_run'>

/** A repository whose workflows may run by themselves. */
export interface Scheduling {
  readonly folder: string
  readonly defaultBranch: string
}

/** `undefined` where nothing may run: it is gone, archived, or has the unit switched off. */
export async function findScheduling(
  db: Executor,
  repositoryId: number,
): Promise<Scheduling | undefined> {
  const row = await db
    .selectFrom('repository')
    .select(['folder', 'default_branch'])
    .where('id', '=', repositoryId)
    .where('is_archived', '=', 0)
    .where('is_empty', '=', 0)
    .where(hasActions)
    .executeTakeFirst()
  return row && { folder: row.folder, defaultBranch: row.default_branch }
}

function hasActions(eb: ExpressionBuilder<Schema, 'repository'>) {
  return eb.exists(
    eb
      .selectFrom('repository_unit')
      .select('repository_unit.repository_id')
      .whereRef('repository_unit.repository_id', '=', 'repository.id')
      .where('repository_unit.unit', '=', 'repo.actions'),
  )
}

export async function findSchedules(
  db: Executor,
  repositoryId: number,
): Promise<readonly Schedule[]> {
  return schedulesOf(db, repositoryId).execute()
}

export async function listSchedules(
  db: Executor,
  repositoryId: number,
  page: Page,
): Promise<PageOf<Schedule>> {
  return fetchPage(schedulesOf(db, repositoryId), page)
}

function schedulesOf(db: Executor, repositoryId: number) {
  return db
    .selectFrom('action_schedule')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
}

/** A schedule that was there keeps its next time. */
export async function upsertSchedules(
  db: Executor,
  rows: readonly NewRow<'action_schedule'>[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('action_schedule')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'workflow', 'cron']).doUpdateSet((eb) => ({
        title: eb.ref('excluded.title'),
        branch: eb.ref('excluded.branch'),
        commit_id: eb.ref('excluded.commit_id'),
      })),
    )
    .execute()
}

export async function deleteSchedules(db: Executor, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('action_schedule').where('id', 'in', ids).execute()
}

/** Those whose time has come, of repositories where they may run. */
export async function findDue(
  db: Executor,
  now: number,
  limit: number,
): Promise<readonly Schedule[]> {
  return db
    .selectFrom('action_schedule')
    .innerJoin('repository', 'repository.id', 'action_schedule.repository_id')
    .selectAll('action_schedule')
    .where('action_schedule.next_at', '<=', now)
    .where('repository.is_archived', '=', 0)
    .where(hasActions)
    .orderBy('action_schedule.next_at')
    .limit(limit)
    .execute()
}

/** False when another process was first. */
export async function claimTime(
  db: Executor,
  { id, next_at }: Schedule,
  { nextAt, now }: { nextAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('action_schedule')
    .set({ next_at: nextAt, last_at: now })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findLastNumber(db: Executor, repositoryId: number): Promise<number> {
  const { last } = await db
    .selectFrom('action_run')
    .select(sql<number>`coalesce(max(number), 0)`.as('last'))
    .where('repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  return last
}

export async function insertRun(db: Executor, row: NewRow<'action_run'>): Promise<void> {
  await db.insertInto('action_run').values(row).execute()
}

export interface RunFilter {
  readonly event?: string | undefined
  readonly branch?: string | undefined
  readonly state?: string | undefined
  readonly commitId?: string | undefined
}

/** Newest first. */
export async function listRuns(
  db: Executor,
  repositoryId: number,
  { event, branch, state, commitId }: RunFilter,
  page: Page,
): Promise<PageOf<Run>> {
  let query = db
    .selectFrom('action_run')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .orderBy('number', 'desc')
  if (event !== undefined) query = query.where('event', '=', event)
  if (branch !== undefined) query = query.where('branch', '=', branch)
  if (state !== undefined) query = query.where('state', '=', state)
  if (commitId !== undefined) query = query.where('commit_id', '=', commitId)
  return fetchPage(query, page)
}

export async function findRun(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<Run | undefined> {
  return db
    .selectFrom('action_run')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}
