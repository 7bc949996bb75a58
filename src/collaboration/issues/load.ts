import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import { changeTracker } from '../../repositories/repository/tracker.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Home, Issue } from './issue.ts'
import {
  addToComments,
  addToContentVersion,
  findIssue,
  findIssueById,
  findIssues,
  updateIssue,
} from './queries.ts'
import { findHomes } from './relation-queries.ts'
import { readsIssue } from './rights.ts'

/** By its number in the repository; one of a kind that the caller does not read does not exist. */
export async function loadIssue(
  ctx: Context,
  view: RepositoryView,
  number: number,
): Promise<Issue> {
  const issue = await findIssue(ctx.db, view.repo.id, number)
  if (!issue || !readsIssue(view, issue)) throw notFound()
  return issue
}

/** Like `loadIssue`, by its id; one of another repository does not exist either. */
export async function loadIssueById(
  ctx: Context,
  view: RepositoryView,
  id: number,
): Promise<Issue> {
  const issue = await findIssueById(ctx.db, id)
  if (!issue || issue.repositoryId !== view.repo.id || !readsIssue(view, issue)) throw notFound()
  return issue
}

/** A transaction on an issue as it is now: until it ends nobody else changes it. */
export async function changeIssue<T>(
  ctx: Context,
  { id, repositoryId }: Pick<Issue, 'id' | 'repositoryId'>,
  change: (tx: Executor, current: Issue) => Promise<T>,
): Promise<T> {
  return changeTracker(ctx, repositoryId, async (tx) => {
    const current = await findIssueById(tx, id)
    if (!current) throw notFound()
    return change(tx, current)
  })
}

export async function issuesById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Issue>> {
  return findIssues(db, [...new Set(ids)])
}

/** The repositories of issues. */
export async function homesById(
  db: Executor,
  repositoryIds: Iterable<number>,
): Promise<ReadonlyMap<number, Home>> {
  return findHomes(db, [...new Set(repositoryIds)])
}

export async function touchIssue(tx: Executor, id: number, now: number): Promise<void> {
  await updateIssue(tx, id, { updated_at: now })
}

export async function changeEstimate(
  tx: Executor,
  id: number,
  { seconds, at }: { readonly seconds: number; readonly at: number },
): Promise<void> {
  await updateIssue(tx, id, { time_estimate: seconds, updated_at: at })
}

/** What an attachment that comes to an issue does to it. */
export async function raiseContentVersion(tx: Executor, id: number, now: number): Promise<void> {
  await addToContentVersion(tx, id, now)
}

/** What a comment that comes or goes does to its issue. */
export async function countComment(
  tx: Executor,
  issueId: number,
  difference: 1 | -1,
  now: number,
): Promise<void> {
  await addToComments(tx, issueId, difference, now)
}
