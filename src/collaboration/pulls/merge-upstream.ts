import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { findMergeBase } from '../../platform/git/merge-base.ts'
import { copyLfsObjects } from '../../code/lfs/copy.ts'
import { loadProtection } from '../../code/protection/enforce.ts'
import { moveRefs } from '../../code/pushes/move-refs.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { inTurn } from '../../repositories/repository/turns.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { ignoresSpace } from './check.ts'
import { conflict, makeMerged } from './merge-style.ts'
import { bringHead, loadBranch, type Side } from './sides.ts'

export type UpstreamMerge = 'up-to-date' | 'fast-forward' | 'merge'

export interface WantedUpstream {
  /** Empty for the default branch. */
  readonly branch: string
  readonly onlyForward: boolean
}

/** Brings what the repository that was forked has on a branch into that branch of the fork. */
export async function mergeUpstream(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { branch, onlyForward }: WantedUpstream,
): Promise<UpstreamMerge> {
  const { repo, parent } = view
  if (repo.forkOf === undefined) throw refused('the repository is not a fork')
  if (!parent || !readsUnit(parent, 'repo.code')) throw notFound()
  const name = branch || repo.defaultBranch
  // The branch that everybody works on may be called something else there.
  const theirName = name === repo.defaultBranch ? parent.repo.defaultBranch : name
  return inTurn(ctx, repo.id, async () => {
    const own = await loadSide(ctx, repo, name)
    const theirs = await loadSide(ctx, parent.repo, theirName)
    await bringHead(ctx, own, theirs)
    const mergeBase = await findMergeBase(ctx.git, folderOf(ctx, repo), {
      base: own.commitId,
      head: theirs.commitId,
    })
    if (mergeBase === undefined) throw refused('the two branches have nothing in common')
    if (mergeBase === theirs.commitId) return 'up-to-date'
    const isForward = mergeBase === own.commitId
    if (!isForward && onlyForward) throw refused('the branch cannot be fast-forwarded')
    const after = isForward
      ? theirs.commitId
      : await makeMergeCommit(ctx, caller, view, { own, theirs, mergeBase })
    await moveBranch(ctx, caller, view, { own, theirs }, after)
    return isForward ? 'fast-forward' : 'merge'
  })
}

function refused(message: string): AppError {
  return new AppError('bad_request', message)
}

async function loadSide(ctx: Context, repo: Repository, branch: string): Promise<Side> {
  return { repo, branch, commitId: await loadBranch(ctx, repo, branch) }
}

interface Parted {
  readonly own: Side
  readonly theirs: Side
  readonly mergeBase: string
}

async function makeMergeCommit(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  { own, theirs, mergeBase }: Parted,
): Promise<string> {
  const self = { ...gitIdentity(ctx.config, account), at: ctx.now(), zone: 0 }
  const from = `${view.parent?.owner.name}/${theirs.repo.name}`
  return makeMerged(ctx, 'merge', {
    folder: folderOf(ctx, own.repo),
    base: own.commitId,
    head: theirs.commitId,
    mergeBase,
    ignoresSpace: ignoresSpace(view),
    message: `Merge branch '${theirs.branch}' of ${from} into ${own.branch}`,
    author: self,
    committer: self,
  })
}

async function moveBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { own: { repo, branch, commitId }, theirs }: Pick<Parted, 'own' | 'theirs'>,
  after: string,
): Promise<void> {
  const update = { ref: `refs/heads/${branch}`, before: commitId, after }
  const protection = await loadProtection(ctx, caller, repo)
  const refusal = await protection.refusal(update)
  if (refusal !== undefined) throw forbidden(refusal)
  // Before the branch: whoever sees a pointer finds what it points to.
  await ctx.db.transaction().execute((tx) => copyLfsObjects(ctx, tx, theirs.repo.id, repo.id))
  if (!(await moveRefs(ctx, caller, view, [update], { isForeign: true }))) {
    throw conflict('the branch has moved')
  }
}
