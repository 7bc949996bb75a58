import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import { branchOf, type RefUpdate } from '../../platform/git/ref-update.ts'
import { readTip } from '../../platform/git/tip.ts'
import { changeIssue, issuesById } from '../issues/load.ts'
import { closeQuietly, setClosed } from '../issues/close.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import type { PushListener } from '../../code/pushes/listener.ts'
import type { PartOfRepositories } from '../../repositories/repository/part.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { holdTracker } from '../../repositories/repository/tracker.ts'
import { followBranches, followHead } from './follow-head.ts'
import type { Pull } from './pull.ts'
import {
  findOpenPulls,
  findPull,
  moveBase,
  renameBranches,
  setHeadGone,
  updatePull,
} from './queries.ts'

interface Moved {
  readonly branch: string
  readonly after: string | undefined
}

/** Makes the pull requests follow branches that have moved, whoever moved them. */
async function followPush(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  updates: readonly RefUpdate[],
): Promise<void> {
  const moved = updates.flatMap(({ ref, after }) => {
    const branch = branchOf(ref)
    return branch === undefined ? [] : { branch, after }
  })
  for (const some of partsOf(moved)) {
    await followBases(ctx, caller, repo, some)
    await followHeads(ctx, caller, repo, some)
  }
}

async function followBases(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  moved: readonly Moved[],
): Promise<void> {
  const pulls = await findOpenPulls(ctx.db, 'base', repo.id, namesOf(moved))
  if (pulls.length === 0) return
  const byBranch = Map.groupBy(pulls, ({ baseBranch }) => baseBranch)
  for (const { branch, after } of moved) {
    const concerned = byBranch.get(branch)
    if (!concerned) continue
    if (after === undefined) await closeAll(ctx, caller, concerned)
    else await moveBases(ctx, repo, branch)
  }
  await ctx.jobs.enqueue(ctx.db, 'check_pulls', { repositoryId: repo.id })
}

/** A base that moves on and on is followed so often; the next push follows it again. */
const MAX_TURNS = 5

/** Of two pushes the first may be told of last: what counts is where the branch is. */
async function moveBases(ctx: Context, repo: Repository, branch: string): Promise<void> {
  let known: string | undefined
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const commitId = await readTip(folderOf(ctx, repo), branch)
    if (commitId === undefined || commitId === known) return
    await moveBase(ctx.db, { repositoryId: repo.id, branch, commitId })
    known = commitId
  }
}

async function followHeads(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  moved: readonly Moved[],
): Promise<void> {
  const gone = namesOf(moved.filter(({ after }) => after === undefined))
  const there = namesOf(moved.filter(({ after }) => after !== undefined))
  await setHeadGone(ctx.db, { repositoryId: repo.id, branches: gone, isGone: true })
  await setHeadGone(ctx.db, { repositoryId: repo.id, branches: there, isGone: false })
  await closeAll(ctx, caller, await findOpenPulls(ctx.db, 'head', repo.id, gone))
  const pulls = await findOpenPulls(ctx.db, 'head', repo.id, there)
  for (const { issueId } of pulls) await followHead(ctx, caller, issueId)
}

function namesOf(moved: readonly Moved[]): readonly string[] {
  return moved.map(({ branch }) => branch)
}

/** Without its branches there is nothing to merge. */
async function closeAll(
  ctx: Context,
  caller: SignedInCaller,
  pulls: readonly Pull[],
): Promise<void> {
  if (pulls.length === 0) return
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

/**
 * What happened to the branches of a pull request while it began to hang on them, and nobody could
 * know that.
 */
export async function catchUp(
  ctx: Context,
  caller: SignedInCaller,
  issueId: number,
): Promise<void> {
  await followBranches(ctx, caller, issueId)
  const pull = await findPull(ctx.db, issueId)
  if (!pull || pull.isMerged) return
  const { repositoryId, headRepositoryId = 0, baseBranch, headBranch } = pull
  const repos = await repositoriesById(ctx.db, [repositoryId, headRepositoryId])
  const hasBranch = async (id: number, branch: string) => {
    const repo = repos.get(id)
    return repo !== undefined && (await readTip(folderOf(ctx, repo), branch)) !== undefined
  }
  const hasHead = await hasBranch(headRepositoryId, headBranch)
  if (!hasHead) await updatePull(ctx.db, issueId, { is_head_gone: 1 })
  if (hasHead && (await hasBranch(repositoryId, baseBranch))) return
  await closeAll(ctx, caller, [pull])
}

/** Those of a repository that goes, in others; in the transaction that deletes it. */
async function closePullsFrom(
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

export const pullsOfPush: PushListener = {
  afterCommit: followPush,
  onBranchRename: (tx, repositoryId, names) => renameBranches(tx, repositoryId, names),
}

export const pullsOfRepositories: PartOfRepositories = { beforeRemoval: closePullsFrom }
