import type { Context } from '../../platform/context.ts'
import { listComparedFiles } from '../../platform/git/range-files.ts'
import { compileGlob } from '../../platform/parsing/glob.ts'
import { readFilePatterns } from '../../code/protection/file-patterns.ts'
import type { BranchRule, BranchSettings } from '../../code/protection/rule.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { haveOwnersApproved } from '../reviews/owners-approval.ts'
import { loadVerdict } from '../reviews/verdict.ts'
import { lastStates, type ContextState } from '../statuses/load.ts'
import { combine } from '../statuses/status.ts'
import type { FoundPull } from './load.ts'
import type { Pull } from './pull.ts'

/** What the rule of the base branch still misses; nothing when all is as it wants. */
export async function whatIsMissing(
  ctx: Context,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  { settings }: BranchRule,
): Promise<string | undefined> {
  const { repo } = view
  const checks = settings.checksStatus
    ? await lastStates(ctx, { repositoryId: repo.id, commitId: pull.headCommitId })
    : []
  if (settings.checksStatus && !arePassed(checks, settings.statusContexts)) {
    return 'Not all required status checks successful'
  }
  return (
    (await missingReview(ctx, view, pull, settings)) ??
    (await missingOwner(ctx, view, { issue, pull }, settings)) ??
    (settings.blocksOnOutdatedBranch && pull.mergeBase !== pull.baseCommitId
      ? 'The head branch is behind the base branch'
      : undefined) ??
    ((await changesProtected(ctx, repo, pull, settings)) ? 'Changed protected files' : undefined)
  )
}

/**
 * Each pattern must be met by a context, and all contexts that meet it must be good; without any,
 * all that there are.
 */
function arePassed(states: readonly ContextState[], patterns: readonly string[]): boolean {
  if (patterns.length === 0) {
    return states.length === 0 || combine(states.map(({ state }) => state)) === 'success'
  }
  return patterns.every((pattern) => {
    const matches = compileGlob(pattern) ?? ((context: string) => context === pattern)
    const met = states.filter(({ context }) => context === pattern || matches(context))
    return combine(met.map(({ state }) => state)) === 'success'
  })
}

async function missingReview(
  ctx: Context,
  view: RepositoryView,
  pull: Pull,
  settings: BranchSettings,
): Promise<string | undefined> {
  const verdict = await loadVerdict(ctx, view, pull, settings)
  if (verdict.approvals < settings.requiredApprovals) return 'Does not have enough approvals'
  if (settings.blocksOnRejectedReviews && verdict.isRejected) return 'There are requested changes'
  if (settings.blocksOnReviewRequests && verdict.isAwaited) {
    return 'There are official review requests'
  }
  return undefined
}

async function missingOwner(
  ctx: Context,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  settings: BranchSettings,
): Promise<string | undefined> {
  if (!settings.blocksOnCodeOwnerReviews) return undefined
  const isApproved = await haveOwnersApproved(ctx, view, issue.authorId, pull, settings)
  return isApproved ? undefined : 'Does not have the approvals of its code owners'
}

async function changesProtected(
  ctx: Context,
  repo: Repository,
  { mergeBase, headCommitId }: Pull,
  { protectedFiles }: BranchSettings,
): Promise<boolean> {
  if (protectedFiles.trim() === '') return false
  const matches = readFilePatterns(protectedFiles)
  const compared = { base: mergeBase, head: headCommitId }
  const files = await listComparedFiles(ctx.git, folderOf(ctx, repo), compared)
  return files.some(({ path, previousPath }) => matches(path) || matches(previousPath ?? path))
}
