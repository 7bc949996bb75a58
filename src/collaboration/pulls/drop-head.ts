import { deleteBranch } from '../../code/branches/change.ts'
import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { findCurrent, writesUnit } from '../../repositories/repository/load.ts'
import type { FoundPull } from './load.ts'
import { findOpenPulls } from './queries.ts'

/**
 * Deletes the branch of a merged pull request, if nobody needs it and the caller may; the merge
 * stands anyway.
 */
export async function dropHeadBranch(
  ctx: Context,
  caller: SignedInCaller,
  found: FoundPull,
): Promise<void> {
  try {
    await deleteHeadBranch(ctx, caller, found)
  } catch (error) {
    if (error instanceof AppError) return
    ctx.log.error({ err: error, pull: found.issue.id }, 'branch of a pull request not deleted')
  }
}

/** Like `dropHeadBranch`, for who asks for nothing else, and is told why it stays. */
export async function deleteHeadBranch(
  ctx: Context,
  caller: SignedInCaller,
  { issue, pull }: FoundPull,
): Promise<void> {
  const { headRepositoryId, headBranch } = pull
  if (headRepositoryId === undefined) throw notFound()
  const view = await findCurrent(ctx, caller, headRepositoryId)
  if (view.repo.isArchived || !writesUnit(view, 'repo.code')) throw forbidden('')
  if (await isNeeded(ctx, headRepositoryId, headBranch)) {
    throw new AppError('conflict', 'another pull request needs it')
  }
  await deleteBranch(ctx, caller, view, headBranch)
  const deed = { issueId: issue.id, actorId: caller.account.id, at: ctx.now() }
  await recordEvent(ctx.db, deed, { kind: 'delete_branch', details: { oldRef: headBranch } })
}

/** Whether there is a branch of a merged pull request that the caller may delete. */
export async function canDropHead(
  ctx: Context,
  caller: SignedInCaller,
  { pull }: FoundPull,
): Promise<boolean> {
  const { isMerged, isHeadGone, headRepositoryId, headBranch } = pull
  if (!isMerged || isHeadGone || headRepositoryId === undefined) return false
  const view = await findCurrent(ctx, caller, headRepositoryId)
  if (view.repo.isArchived || !writesUnit(view, 'repo.code')) return false
  if (view.repo.defaultBranch === headBranch) return false
  return !(await isNeeded(ctx, headRepositoryId, headBranch))
}

async function isNeeded(ctx: Context, repositoryId: number, branch: string): Promise<boolean> {
  const asHead = await findOpenPulls(ctx.db, 'head', repositoryId, [branch])
  const asBase = await findOpenPulls(ctx.db, 'base', repositoryId, [branch])
  return asHead.length + asBase.length > 0
}
