import { reaches } from '../../platform/access-level.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { loadIssue } from '../issues/load.ts'
import { readableKinds } from '../issues/rights.ts'
import { assertReads, readsUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { refreshCheck } from './check.ts'
import type { Pull } from './pull.ts'
import { findPull } from './queries.ts'

/** A pull request with the issue that it is too. */
export interface FoundPull {
  readonly issue: Issue
  readonly pull: Pull
}

/** For everything below the pull requests of a repository. */
export function assertReadsPulls(view: RepositoryView): void {
  if (!readableKinds(view).pulls) throw notFound()
  assertReads(view, 'repo.code')
}

/** Whether there is anything below them for this caller. */
export function readsPulls(view: RepositoryView): boolean {
  const readsCode = reaches(view.access.level, 'admin') || readsUnit(view, 'repo.code')
  return readableKinds(view).pulls && readsCode
}

/** By its number; an issue that is none is not found. */
export async function loadPull(
  ctx: Context,
  view: RepositoryView,
  number: number,
): Promise<FoundPull> {
  const issue = await loadIssue(ctx, view, number)
  const pull = issue.isPull ? await findPull(ctx.db, issue.id) : undefined
  if (!pull) throw notFound()
  return { issue, pull }
}

/** In the transaction that holds its issue. */
export async function pullOf(tx: Executor, { id }: Pick<Issue, 'id'>): Promise<Pull> {
  const pull = await findPull(tx, id)
  if (!pull) throw notFound()
  return pull
}

/** Like `loadPull`, with what git says of it now, unless it is closed. */
export async function loadCheckedPull(
  ctx: Context,
  view: RepositoryView,
  number: number,
): Promise<FoundPull> {
  const found = await loadPull(ctx, view, number)
  if (found.issue.isClosed) return found
  const pull = await refreshCheck(ctx, view, found.pull)
  return { ...found, pull }
}
