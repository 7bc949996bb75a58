import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { branchOf, type RefUpdate } from '../git/ref-update.ts'
import { changeIssue, issuesById } from '../issues/load.ts'
import { closeQuietly, setClosed } from '../issues/close.ts'
import { repositoriesById } from '../repositories/load.ts'
import type { Repository } from '../repositories/repository.ts'
import { holdTracker } from '../repositories/tracker.ts'
import { followHead } from './follow-head.ts'
import type { Pull } from './pull.ts'
import { findOpenPulls, moveBase, renameBranches, setHeadGone } from './queries.ts'

interface Moved {
  readonly branch: string
  readonly after: string | undefined
}

/** Makes the pull requests follow branches that have moved, whoever moved them. */
export async function followPush(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  updates: readonly RefUpdate[],
): Promise<void> {
  const moved = updates.flatMap(({ ref, after }) => {
    const branch = branchOf(ref)
    return branch === undefined ? [] : { branch, after }
  })
  await followBases(ctx, caller, repo, moved)
  await followHeads(ctx, caller, repo, moved)
}

async function followBases(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  moved: readonly Moved[],
): Promise<void> {
  const branches = moved.map(({ branch }) => branch)
  const pulls = await findOpenPulls(ctx.db, 'base', repo.id, branches)
  for (const { branch, after } of moved) {
    const concerned = pulls.filter(({ baseBranch }) => baseBranch === branch)
    if (after === undefined) await closeAll(ctx, caller, concerned)
    else await moveBase(ctx.db, { repositoryId: repo.id, branch, commitId: after })
  }
  if (pulls.length > 0) await ctx.jobs.enqueue(ctx.db, 'check_pulls', { repositoryId: repo.id })
}

async function followHeads(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  moved: readonly Moved[],
): Promise<void> {
  const branches = moved.map(({ branch }) => branch)
  const gone = new Set(moved.filter(({ after }) => !after).map(({ branch }) => branch))
  const pulls = await findOpenPulls(ctx.db, 'head', repo.id, branches)
  const closed = pulls.filter(({ headBranch }) => gone.has(headBranch))
  for (const { branch, after } of moved) {
    await setHeadGone(ctx.db, { repositoryId: repo.id, branch, isGone: after === undefined })
  }
  await closeAll(ctx, caller, closed)
  for (const { issueId, headBranch } of pulls) {
    if (!gone.has(headBranch)) await followHead(ctx, caller, issueId)
  }
}

/** Without its branches there is nothing to merge. */
async function closeAll(
  ctx: Context,
  caller: SignedInCaller,
  pulls: readonly Pull[],
): Promise<void> {
  const issues = await issuesById(
    ctx.db,
    pulls.map(({ issueId }) => issueId),
  )
  const repos = await repositoriesById(
    ctx.db,
    pulls.map(({ repositoryId }) => repositoryId),
  )
  for (const issue of issues.values()) {
    await changeIssue(ctx, issue, async (tx, current) => {
      const repo = repos.get(issue.repositoryId)
      if (repo && !current.isClosed) {
        await setClosed(ctx, tx, caller.account, repo, current, true)
      }
    })
  }
}

/** Those of a repository that goes, in others; in the transaction that deletes it. */
export async function closePullsFrom(
  ctx: Context,
  tx: Executor,
  { id }: Pick<Repository, 'id'>,
): Promise<void> {
  const pulls = await findOpenPulls(tx, 'head', id)
  const elsewhere = pulls.filter(({ repositoryId }) => repositoryId !== id)
  // Always in the same order, so that two do not wait for each other.
  const homes = [...new Set(elsewhere.map(({ repositoryId }) => repositoryId))]
  for (const home of homes.toSorted((a, b) => a - b)) await holdTracker(ctx, tx, home)
  for (const { issueId } of elsewhere) await closeQuietly(tx, issueId, ctx.now())
}

/** Before the branches themselves are told to have moved. */
export async function renamePullBranches(
  ctx: Context,
  repositoryId: number,
  names: { readonly from: string; readonly to: string },
): Promise<void> {
  await renameBranches(ctx.db, repositoryId, names)
}
