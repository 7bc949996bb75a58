import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import { copyObjects } from '../../platform/git/copy-objects.ts'
import { loadProtection } from '../../code/protection/enforce.ts'
import { moveRefs } from '../../code/pushes/move-refs.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import { findCurrent, writesUnit } from '../../repositories/repository/load.ts'
import { inTurn } from '../../repositories/repository/turns.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { ignoresSpace } from './check.ts'
import { loadCheckedPull, type FoundPull } from './load.ts'
import { conflict, makeMerged } from './merge-style.ts'
import type { Pull } from './pull.ts'

export type UpdateStyle = 'merge' | 'rebase'

/** Brings what the base branch has into the head branch. */
export async function updatePullBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  number: number,
  wanted: UpdateStyle | undefined,
): Promise<void> {
  const found = await loadCheckedPull(ctx, view, number)
  const { pull, issue } = found
  if (pull.isMerged || issue.isClosed) throw invalid('the pull request is not open')
  if (pull.isHeadGone || pull.headRepositoryId === undefined) throw invalid('the head is gone')
  const settings = view.units.settings('repo.pulls')
  const style = wanted ?? (settings?.defaultUpdateStyle === 'rebase' ? 'rebase' : 'merge')
  const isAllowed = style === 'merge' ? settings?.allowMergeUpdate : settings?.allowRebaseUpdate
  const head = await findCurrent(ctx, caller, pull.headRepositoryId)
  if (!isAllowed || !mayPush(view, head, pull)) throw forbidden('', { empty: true })
  if (pull.mergeBase === pull.baseCommitId) return
  await inTurn(ctx, head.repo.id, () => moveHeadBranch(ctx, caller, view, head, found, style))
}

/**
 * The ways in which the caller may bring the base into the head; none where the head has it all, or
 * cannot have it.
 */
export async function updateStylesFor(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { pull, issue }: FoundPull,
): Promise<readonly UpdateStyle[]> {
  const { headRepositoryId, isHeadGone, mergeBase, baseCommitId } = pull
  if (issue.isClosed || isHeadGone || headRepositoryId === undefined) return []
  if (mergeBase === baseCommitId || pull.isConflicting) return []
  const settings = view.units.settings('repo.pulls')
  const head = await findCurrent(ctx, caller, headRepositoryId)
  if (!mayPush(view, head, pull)) return []
  return [
    ...(settings?.allowMergeUpdate ? ['merge' as const] : []),
    ...(settings?.allowRebaseUpdate ? ['rebase' as const] : []),
  ]
}

/** Who writes the base may also move heads that were opened for them. */
function mayPush(view: RepositoryView, head: RepositoryView, pull: Pull): boolean {
  if (head.repo.isArchived || head.repo.isMirror) return false
  if (writesUnit(head, 'repo.code')) return true
  return pull.allowsMaintainerEdit && writesUnit(view, 'repo.code')
}

async function moveHeadBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  head: RepositoryView,
  { pull }: FoundPull,
  style: UpdateStyle,
): Promise<void> {
  const after = await makeUpdated(ctx, caller, view, pull, style)
  const [from, to] = [folderOf(ctx, view.repo), folderOf(ctx, head.repo)]
  if (from !== to) {
    await copyObjects(ctx.git, { from, to }, { commitId: after, common: pull.mergeBase })
  }
  const update = { ref: `refs/heads/${pull.headBranch}`, before: pull.headCommitId, after }
  const protection = await loadProtection(ctx, caller, head.repo)
  if ((await protection.refusal(update)) !== undefined) throw forbidden('', { empty: true })
  if (!(await moveRefs(ctx, caller, head, [update])))
    throw conflict('the head branch has moved', 'stale')
}

/** Seen from the head, the base is what comes in. */
async function makeUpdated(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  pull: Pull,
  style: UpdateStyle,
): Promise<string> {
  const self = { ...gitIdentity(ctx.config, account), at: ctx.now(), zone: 0 }
  const common = {
    folder: folderOf(ctx, view.repo),
    mergeBase: pull.mergeBase,
    ignoresSpace: ignoresSpace(view),
    message: `Merge branch '${pull.baseBranch}' into ${pull.headBranch}`,
    author: self,
    committer: self,
  }
  if (style === 'rebase') {
    const sides = { base: pull.baseCommitId, head: pull.headCommitId }
    return makeMerged(ctx, 'rebase', { ...common, ...sides })
  }
  const sides = { base: pull.headCommitId, head: pull.baseCommitId }
  return makeMerged(ctx, 'merge', { ...common, ...sides })
}
