import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { CommitStatus } from './status.ts'

/** The commit of a repository. */
export interface CommitKey {
  readonly repositoryId: number
  readonly commitId: string
}

export interface StatusFilter {
  readonly state: string | undefined
  readonly order: 'asc' | 'desc'
}

/** The last that was said in a context. */
export type ContextState = Pick<CommitStatus, 'context' | 'state' | 'description' | 'targetUrl'>

type StatusRow = Row<'commit_status'>

/** With the next number of its commit. */
export async function insertStatus(
  db: Executor,
  status: Omit<NewRow<'commit_status'>, 'number'>,
): Promise<StatusRow> {
  const number = sql<number>`(
    SELECT coalesce(max(number), 0) + 1
    FROM commit_status
    WHERE repository_id = ${status.repository_id} AND commit_id = ${status.commit_id}
  )`
  return db
    .insertInto('commit_status')
    .values({ ...status, number })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listStatuses(
  db: Executor,
  commit: CommitKey,
  { state, order }: StatusFilter,
  page: Page,
): Promise<PageOf<CommitStatus>> {
  let query = statusesOf(db, commit).selectAll().orderBy('number', order)
  if (state !== undefined) query = query.where('state', '=', state)
  return withCreators(db, await fetchPage(query, page))
}

/** The last status of each context, newest first. */
export async function listLastStatuses(
  db: Executor,
  commit: CommitKey,
  page: Page,
): Promise<PageOf<CommitStatus>> {
  const query = lastStatusesOf(db, commit).selectAll().orderBy('number', 'desc')
  return withCreators(db, await fetchPage(query, page))
}

/** The states in which the contexts of a commit are, each once. */
export async function findLastStates(db: Executor, commit: CommitKey): Promise<readonly string[]> {
  const rows = await lastStatusesOf(db, commit).select('state').distinct().execute()
  return rows.map(({ state }) => state)
}

export function toStatus(row: StatusRow, creator: Account | undefined): CommitStatus {
  return {
    number: row.number,
    commitId: row.commit_id,
    state: row.state,
    context: row.context,
    targetUrl: row.target_url,
    description: row.description,
    creator,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function statusesOf(db: Executor, { repositoryId, commitId }: CommitKey) {
  return db
    .selectFrom('commit_status')
    .where('repository_id', '=', repositoryId)
    .where('commit_id', '=', commitId)
}

function lastStatusesOf(db: Executor, commit: CommitKey) {
  const last = statusesOf(db, commit)
    .select(({ fn }) => fn.max('number').as('number'))
    .groupBy('context')
  return statusesOf(db, commit).where('number', 'in', last)
}

async function withCreators(db: Executor, page: PageOf<StatusRow>): Promise<PageOf<CommitStatus>> {
  const ids = page.items.flatMap(({ creator_id: id }) => id ?? [])
  const creators = await findAllById(db, ids)
  return mapPage(page, (row) => toStatus(row, creators.get(row.creator_id ?? 0)))
}

export async function findContextStates(
  db: Executor,
  commit: CommitKey,
): Promise<readonly ContextState[]> {
  return lastStatusesOf(db, commit)
    .select(['context', 'state', 'description', 'target_url as targetUrl'])
    .orderBy('context')
    .execute()
}
