import { reaches } from '../../platform/access-level.ts'
import { recordEvent, type NewEvent } from '../comments/record.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError, Moved, notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isReadable } from './conditions.ts'
import {
  deleteDependency,
  insertDependency,
  isWaitingFor,
  listDependencies,
  type Dependency,
} from './dependency-queries.ts'
import type { Issue } from './issue.ts'
import { loadIssue } from './load.ts'
import { assertReadsAny, writesIssue } from './rights.ts'

/** An issue as another one names it; without owner and repository, of the same one. */
export interface IssuePath {
  readonly owner: string
  readonly repo: string
  readonly number: number
}

/** An issue with the repository that it was found in. */
export interface Found {
  readonly view: RepositoryView
  readonly issue: Issue
}

export function hasDependencies({ units }: RepositoryView): boolean {
  return units.settings('repo.issues')?.dependencies ?? false
}

/** Repositories that have dependencies switched off have none. */
export function assertDependencies(view: RepositoryView): void {
  if (!hasDependencies(view)) throw notFound()
}

/** The issues that one waits for, or those that wait for it, as far as the caller reads them. */
export async function dependenciesSeenBy(
  ctx: Context,
  caller: Caller,
  { id }: Issue,
  direction: 'awaited' | 'waiting',
  page: Page,
): Promise<PageOf<Issue>> {
  const readable = isReadable(ctx.config, caller, { issues: true, pulls: true })
  return listDependencies(ctx.db, id, direction, readable, page)
}

/**
 * The other issue, anywhere the caller reads. Nobody is sent on to a new name that stands in a
 * body.
 */
export async function loadOther(
  ctx: Context,
  caller: Caller,
  here: RepositoryView,
  { owner, repo, number }: IssuePath,
): Promise<Found> {
  const path = { owner: owner || here.owner.name, repo: repo || here.repo.name }
  const view = await loadVisible(ctx, caller, path).catch((error: unknown) => {
    throw error instanceof Moved ? notFound() : error
  })
  assertReadsAny(view)
  return { view, issue: await loadIssue(ctx, view, number) }
}

/** The one that waits must be the caller's to write, or it is not there for them. */
function assertWaits({ view, issue }: Found): void {
  assertDependencies(view)
  if (!writesIssue(view, issue)) throw notFound()
}

/** Both sides are told of it. Who administers a repository says who does what there. */
async function assertMayTie(
  ctx: Context,
  { account }: SignedInCaller,
  { view, issue }: Found,
): Promise<void> {
  if (reaches(view.access.level, 'admin')) return
  await assertNotBlocked(ctx.db, account.id, [view.owner.id, issue.authorId ?? 0])
}

export async function addDependency(
  ctx: Context,
  caller: SignedInCaller,
  waiting: Found,
  awaited: Found,
): Promise<void> {
  for (const found of [waiting, awaited]) await assertMayTie(ctx, caller, found)
  await changeDependency(ctx, waiting, awaited, async (tx, dependency) => {
    await assertNoCircle(tx, dependency)
    if (!(await insertDependency(tx, dependency, ctx.now()))) {
      throw new AppError('conflict', 'issue dependency already exists')
    }
    await recordOnBoth(ctx, tx, caller, dependency, 'add_dependency')
  })
}

async function assertNoCircle(tx: Executor, { issueId, dependsOnId }: Dependency): Promise<void> {
  const reversed = { issueId: dependsOnId, dependsOnId: issueId }
  if (issueId !== dependsOnId && !(await isWaitingFor(tx, reversed))) return
  throw new AppError('conflict', 'circular dependencies are not allowed')
}

export async function endDependency(
  ctx: Context,
  caller: SignedInCaller,
  waiting: Found,
  awaited: Found,
): Promise<void> {
  await changeDependency(ctx, waiting, awaited, async (tx, dependency) => {
    if (!(await deleteDependency(tx, dependency))) throw notFound()
    await recordOnBoth(ctx, tx, caller, dependency, 'remove_dependency')
  })
}

async function changeDependency(
  ctx: Context,
  waiting: Found,
  awaited: Found,
  change: (tx: Executor, dependency: Dependency) => Promise<void>,
): Promise<void> {
  assertWaits(waiting)
  const dependency = { issueId: waiting.issue.id, dependsOnId: awaited.issue.id }
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'issue_dependencies')
    await change(tx, dependency)
  })
}

async function recordOnBoth(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { issueId, dependsOnId }: Dependency,
  kind: NewEvent['kind'],
): Promise<void> {
  const deed = { actorId: account.id, at: ctx.now() }
  const about = (dependentIssueId: number) => ({ kind, details: { dependentIssueId } })
  await recordEvent(tx, { ...deed, issueId }, about(dependsOnId))
  await recordEvent(tx, { ...deed, issueId: dependsOnId }, about(issueId))
}
