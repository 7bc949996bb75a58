import { readingCode } from '../../code/commits/code.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import { isFullId } from '../../platform/git/revisions.ts'
import { readTip } from '../../platform/git/tip.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import { updateRefs } from '../../platform/git/update-refs.ts'
import { afterPush } from '../../code/pushes/after-push.ts'
import { orTakeBack } from '../../code/pushes/move-refs.ts'
import { planMending } from '../../code/pushes/plan-measuring.ts'
import { folderOf, isRemoved } from '../../repositories/repository/folder.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import { inTurn } from '../../repositories/repository/turns.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { changeIssue } from '../issues/load.ts'
import { findById } from '../../identity/users/load.ts'
import { ignoresSpace, refreshCheck } from './check.ts'
import { acceptFoundMerge } from './found-merge.ts'
import { loadPull, type FoundPull } from './load.ts'
import { finishMerge, markMerged } from './mark-merged.ts'
import { assertMayMerge, refused } from './merge-rights.ts'
import { conflict, isStyleAllowed, makeMerged, type MergeStyle } from './merge-style.ts'
import { defaultMessage } from './merge-message.ts'
import { updatePull } from './queries.ts'
import { isAsAllowed, Outrun, standingOf } from './standing.ts'
import { dropHeadBranch } from './drop-head.ts'
import { schedule } from './auto-merge.ts'

export interface WantedMerge {
  readonly style: MergeStyle
  readonly title: string
  readonly message: string
  /** The commit of a merge that was done by hand. */
  readonly mergeCommitId: string
  /** Where the head must be; empty for anywhere. */
  readonly headCommitId: string
  readonly force: boolean
  readonly whenChecksSucceed: boolean
  /** Absent: as the repository is set up. */
  readonly deleteBranch: boolean | undefined
  readonly isAutomatic?: boolean
}

interface AllowedMerge extends WantedMerge {
  /** What it was allowed by, which has to be so still when it is done. */
  readonly standing: string
}

/** How often a merge is tried again on what somebody else has pushed meanwhile. */
const MAX_ATTEMPTS = 10

/** Should the server end between moving the branch and saying so, a job says so after this time. */
const MENDING_AFTER_SECONDS = 60

/** Merges, or, where that was asked for, says that it will be merged later. */
export async function mergePull(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  number: number,
  wanted: WantedMerge,
): Promise<'merged' | 'scheduled'> {
  const merged = await inTurn(ctx, view.repo.id, () =>
    mergeOnTip(ctx, caller, view, number, wanted),
  )
  if (merged === 'scheduled') return merged
  const { update, found } = merged
  if (update) await tellOfMerge(ctx, caller, view, update)
  const wantsDeletion =
    wanted.deleteBranch ?? view.units.settings('repo.pulls')?.deleteBranchAfterMerge
  if (wantsDeletion) await dropHeadBranch(ctx, caller, found)
  return 'merged'
}

/** The merge stands and is recorded as one; should this fail, a job mends it. */
async function tellOfMerge(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  update: RefUpdate,
): Promise<void> {
  try {
    await afterPush(ctx, caller, view, [update])
  } catch (error) {
    if (isRemoved(folderOf(ctx, view.repo))) return
    ctx.log.error({ err: error, repository: view.repo.id }, 'merge not followed')
  }
}

async function mergeOnTip(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  number: number,
  wanted: WantedMerge,
) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const isManual = wanted.style === 'manually-merged'
    const found = await loadOnTip(ctx, view, number, isManual)
    const standing = await standingOf(ctx.db, found)
    const wish = { isManual, force: wanted.force }
    const missing = await assertMayMerge(ctx, caller, view, found, wish)
    if (!isStyleAllowed(view.units.settings('repo.pulls'), wanted.style)) {
      throw refused('Invalid merge style')
    }
    assertHead(found, wanted)
    if (missing !== undefined && wanted.whenChecksSucceed) {
      return schedule(ctx, caller, found, wanted)
    }
    if (missing !== undefined) throw refused(missing)
    const update = isManual
      ? await orOutrun(() => acceptManual(ctx, caller, view, found, { ...wanted, standing }))
      : await orOutrun(() => moveBase(ctx, caller, view, found, { ...wanted, standing }))
    if (update !== 'outrun') return { found, update }
  }
  throw conflict('merge push out of date', 'base_moved')
}

async function orOutrun<T>(merge: () => Promise<T>): Promise<T | 'outrun'> {
  try {
    return await merge()
  } catch (error) {
    if (error instanceof Outrun) return 'outrun'
    throw error
  }
}

/**
 * As git has it now, whatever has not been recorded yet; a merge by hand is told by who asks for
 * it.
 */
async function loadOnTip(
  ctx: Context,
  view: RepositoryView,
  number: number,
  isManual: boolean,
): Promise<FoundPull> {
  const found = await loadPull(ctx, view, number)
  if (await finishMerge(ctx, view.repo, found)) return loadPull(ctx, view, number)
  if (found.pull.isMerged || found.issue.isClosed) return found
  const folder = folderOf(ctx, view.repo)
  const tip = await readTip(folder, found.pull.baseBranch)
  if (tip === undefined) throw notFound()
  const { issueId } = found.pull
  const current =
    tip === found.pull.baseCommitId
      ? found.pull
      : ((await updatePull(ctx.db, issueId, { base_commit_id: tip })) ?? found.pull)
  const checked = { ...found, pull: await refreshCheck(ctx, view, current) }
  if (isManual || !(await acceptFoundMerge(ctx, view, checked, found.pull))) return checked
  return loadPull(ctx, view, number)
}

function assertHead({ pull }: FoundPull, { headCommitId }: WantedMerge): void {
  if (headCommitId === '' || headCommitId === pull.headCommitId) return
  throw conflict('head out of date', 'stale')
}

async function moveBase(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  wanted: AllowedMerge,
) {
  const { repo } = view
  const folder = folderOf(ctx, repo)
  const after = await makeCommits(ctx, caller, view, { issue, pull }, wanted)
  const actor = caller.account
  await changeIssue(ctx, issue, async (tx, current) => {
    if (!(await isAsAllowed(tx, current, wanted.standing))) throw new Outrun()
    await updatePull(tx, issue.id, { merge_commit_id: after, merged_by_id: actor.id })
  })
  const mending = { delaySeconds: MENDING_AFTER_SECONDS }
  await ctx.jobs.enqueue(ctx.db, 'check_pulls', { repositoryId: repo.id }, mending)
  await planMending(ctx, repo.id)
  const update = { ref: `refs/heads/${pull.baseBranch}`, before: pull.baseCommitId, after }
  if (!(await updateRefs(ctx.git, folder, [update]))) return 'outrun' as const
  const { isAutomatic = false, standing } = wanted
  const merged = { commitId: after, actor, baseCommitId: after, isAutomatic, standing }
  await orTakeBack(ctx, folder, [update], async () => {
    await markMerged(ctx, repo, issue, merged)
  })
  return update
}

async function makeCommits(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  wanted: WantedMerge,
): Promise<string> {
  const now = { at: ctx.now(), zone: 0 }
  const author = (await findById(ctx, issue.authorId ?? 0)) ?? account
  const style = wanted.style as Exclude<MergeStyle, 'manually-merged'>
  const title = wanted.title.trim() || (await defaultMessage(ctx, view, { issue, pull }, style))
  const message = wanted.message.trim()
  return makeMerged(ctx, style, {
    folder: folderOf(ctx, view.repo),
    base: pull.baseCommitId,
    head: pull.headCommitId,
    mergeBase: pull.mergeBase,
    ignoresSpace: ignoresSpace(view),
    message: message === '' ? title : `${title}\n\n${message}`,
    author: { ...gitIdentity(ctx.config, author), ...now },
    committer: { ...gitIdentity(ctx.config, account), ...now },
  })
}

/** Believes that a commit of the base branch is the merge. */
async function acceptManual(
  ctx: Context,
  { account }: SignedInCaller,
  { repo }: RepositoryView,
  { issue, pull }: FoundPull,
  { mergeCommitId: commitId, standing }: AllowedMerge,
): Promise<undefined> {
  const wrong = new AppError('conflict', 'Wrong commit ID')
  if (!isFullId(commitId)) throw wrong
  const info = await readingCode(ctx, repo, (objects) => objects.info(commitId))
  const range = { base: commitId, head: pull.baseCommitId }
  const folder = folderOf(ctx, repo)
  if (info?.type !== 'commit' || !(await isAncestor(ctx.git, folder, range))) throw wrong
  const { baseCommitId } = pull
  await markMerged(ctx, repo, issue, { commitId, actor: account, baseCommitId, standing })
}
