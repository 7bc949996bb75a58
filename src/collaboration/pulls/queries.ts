import type { Executor } from '../../platform/db/database.ts'
import { fetchOrderedPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { OrderKey } from '../../platform/db/keyset.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statementForIds } from '../../platform/db/statement.ts'
import type { IssueCondition } from '../issues/conditions.ts'
import { toRepository, type Repository } from '../../repositories/repository/repository.ts'
import { ghost } from '../../identity/users/account.ts'
import { toPull, type MergedPull, type Pull } from './pull.ts'

export async function insertPull(db: Executor, row: NewRow<'pull_request'>): Promise<Pull> {
  return toPull(
    await db.insertInto('pull_request').values(row).returningAll().executeTakeFirstOrThrow(),
  )
}

export async function findPull(db: Executor, issueId: number): Promise<Pull | undefined> {
  return (await findPulls(db, [issueId])).get(issueId)
}

const pullsOf = statementForIds<Row<'pull_request'>>(
  'SELECT * FROM pull_request WHERE issue_id IN (*)',
)

/** By the ids of their issues. */
export async function findPulls(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, Pull>> {
  if (issueIds.length === 0) return new Map()
  const rows = await pullsOf(db, issueIds)
  return new Map(rows.map((row) => [row.issue_id, toPull(row)]))
}

export async function updatePull(
  db: Executor,
  issueId: number,
  changes: Changes<'pull_request'>,
): Promise<Pull | undefined> {
  const row = await db
    .updateTable('pull_request')
    .set(changes)
    .where('issue_id', '=', issueId)
    .returningAll()
    .executeTakeFirst()
  return row && toPull(row)
}

/** The outcome of a check, unless the commits are others by now. */
export async function updateChecked(
  db: Executor,
  pull: Pick<Pull, 'issueId' | 'baseCommitId' | 'headCommitId'>,
  changes: Changes<'pull_request'>,
): Promise<Pull | undefined> {
  const row = await db
    .updateTable('pull_request')
    .set(changes)
    .where('issue_id', '=', pull.issueId)
    .where('base_commit_id', '=', pull.baseCommitId)
    .where('head_commit_id', '=', pull.headCommitId)
    .returningAll()
    .executeTakeFirst()
  return row && toPull(row)
}

/** From which branch of which repository to which branch of which. */
export interface Pair {
  readonly repositoryId: number
  readonly baseBranch: string
  readonly headRepositoryId: number
  readonly headBranch: string
}

/** The newest of a pair; of several states the open one first. */
export async function findPullOfPair(
  db: Executor,
  pair: Pair,
  { onlyOpen = false } = {},
): Promise<Pull | undefined> {
  let query = db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .selectAll('pull_request')
    .where('pull_request.repository_id', '=', pair.repositoryId)
    .where('pull_request.base_branch', '=', pair.baseBranch)
    .where('pull_request.head_repository_id', '=', pair.headRepositoryId)
    .where('pull_request.head_branch', '=', pair.headBranch)
    .orderBy('issue.is_closed')
    .orderBy('issue.id', 'desc')
  if (onlyOpen) query = query.where('issue.is_closed', '=', 0)
  const row = await query.limit(1).executeTakeFirst()
  return row && toPull(row)
}

/** The one that was merged by this commit. */
export async function findPullMergedBy(
  db: Executor,
  repositoryId: number,
  commitId: string,
): Promise<Pull | undefined> {
  const row = await db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('merge_commit_id', '=', commitId)
    .where('is_merged', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && toPull(row)
}

/** Those that were merged, and whose merge commit or head is one of these commits. */
export async function findMergedAmong(
  db: Executor,
  repositoryId: number,
  commitIds: readonly string[],
): Promise<readonly MergedPull[]> {
  if (commitIds.length === 0) return []
  const rows = await db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .leftJoin('account', 'account.id', 'issue.author_id')
    .select([
      'pull_request.merge_commit_id',
      'pull_request.head_commit_id',
      'pull_request.merge_base',
      'issue.number',
      'issue.title',
      'account.name',
    ])
    .where('pull_request.repository_id', '=', repositoryId)
    .where('pull_request.is_merged', '=', 1)
    .where((eb) =>
      eb.or([
        eb('pull_request.merge_commit_id', 'in', commitIds),
        eb('pull_request.head_commit_id', 'in', commitIds),
      ]),
    )
    .orderBy('pull_request.id', 'desc')
    .execute()
  return rows.map((row) => ({
    number: row.number,
    title: row.title,
    authorName: row.name ?? ghost.name,
    mergeCommitId: row.merge_commit_id,
    headCommitId: row.head_commit_id,
    mergeBase: row.merge_base,
  }))
}

/** Open ones that a branch is the head of, or the base. */
export async function findOpenPulls(
  db: Executor,
  side: 'base' | 'head',
  repositoryId: number,
  branches: readonly string[] | 'all' = 'all',
): Promise<readonly Pull[]> {
  if (branches.length === 0) return []
  let query = db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .selectAll('pull_request')
    .where('issue.is_closed', '=', 0)
    .orderBy('pull_request.id')
  query =
    side === 'base'
      ? query.where('pull_request.repository_id', '=', repositoryId)
      : query.where('pull_request.head_repository_id', '=', repositoryId)
  if (branches !== 'all') query = query.where(`pull_request.${side}_branch`, 'in', branches)
  return (await query.execute()).map(toPull)
}

/** Where the base branch is now, for all that are not merged yet. */
export async function moveBase(
  db: Executor,
  { repositoryId, branch, commitId }: { repositoryId: number; branch: string; commitId: string },
): Promise<void> {
  await db
    .updateTable('pull_request')
    .set({ base_commit_id: commitId })
    .where('repository_id', '=', repositoryId)
    .where('base_branch', '=', branch)
    .where('is_merged', '=', 0)
    .execute()
}

interface HeadBranches {
  readonly repositoryId: number
  readonly branches: readonly string[]
  readonly isGone: boolean
}

/**
 * Whether the branch that they come from is there; a merged one need not know that it is there
 * again.
 */
export async function setHeadGone(
  db: Executor,
  { repositoryId, branches, isGone }: HeadBranches,
): Promise<void> {
  if (branches.length === 0) return
  let query = db
    .updateTable('pull_request')
    .set({ is_head_gone: isGone ? 1 : 0 })
    .where('head_repository_id', '=', repositoryId)
    .where('head_branch', 'in', branches)
    .where('is_head_gone', '=', isGone ? 0 : 1)
  if (!isGone) query = query.where('is_merged', '=', 0)
  await query.execute()
}

/** Those that are to be merged by themselves: of a head, or one. */
export async function findScheduled(
  db: Executor,
  which:
    | { readonly repositoryId: number; readonly commitId: string }
    | { readonly issueId: number },
): Promise<readonly number[]> {
  let query = db.selectFrom('pull_request').select('issue_id').where('auto_merge', '<>', '')
  query =
    'issueId' in which
      ? query.where('issue_id', '=', which.issueId)
      : query
          .where('repository_id', '=', which.repositoryId)
          .where('head_commit_id', '=', which.commitId)
  const rows = await query.execute()
  return rows.map((row) => row.issue_id)
}

export async function renameBranches(
  db: Executor,
  repositoryId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await db
    .updateTable('pull_request')
    .set({ base_branch: to })
    .where('repository_id', '=', repositoryId)
    .where('base_branch', '=', from)
    .where('is_merged', '=', 0)
    .execute()
  await db
    .updateTable('pull_request')
    .set({ head_branch: to })
    .where('head_repository_id', '=', repositoryId)
    .where('head_branch', '=', from)
    .where('is_merged', '=', 0)
    .execute()
}

/**
 * A repository of this owner that is of the same family: a fork, what it was forked from, another
 * fork of that.
 */
export async function findRelative(
  db: Executor,
  { id, forkOf }: Pick<Repository, 'id' | 'forkOf'>,
  owner: string,
): Promise<Repository | undefined> {
  const row = await db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .selectAll('repository')
    .where('account.lower_name', '=', owner.toLowerCase())
    .where((eb) =>
      eb.or([
        eb('repository.fork_of', '=', id),
        ...(forkOf === undefined
          ? []
          : [eb('repository.id', '=', forkOf), eb('repository.fork_of', '=', forkOf)]),
      ]),
    )
    .orderBy('repository.id')
    .limit(1)
    .executeTakeFirst()
  return row && toRepository(row)
}

/** The ids of their issues, in the order of `keys`. */
export async function listPullIssues(
  db: Executor,
  conditions: readonly IssueCondition[],
  keys: readonly OrderKey[],
  page: Page,
): Promise<PageOf<{ readonly id: number }>> {
  let query = db.selectFrom('issue').select('issue.id')
  for (const condition of conditions) query = query.where(condition)
  return fetchOrderedPage(query, keys, page)
}
