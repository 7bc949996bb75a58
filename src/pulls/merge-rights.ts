import { isSiteAdmin, type Context, type SignedInCaller } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { isBlocked } from '../issues/state.ts'
import { loadProtection, type Protection } from '../protection/enforce.ts'
import type { BranchRule } from '../protection/rule.ts'
import { reaches } from '../access-level.ts'
import { writesUnit } from '../repositories/load.ts'
import type { RepositoryView } from '../repositories/view.ts'
import type { FoundPull } from './load.ts'
import { whatIsMissing } from './merge-readiness.ts'
import { isDraft } from './pull.ts'

export interface MergeWish {
  readonly isManual: boolean
  /** Whether who may do so passes over what the rule of the branch misses. */
  readonly force: boolean
}

/** Everything but the merge itself; what it still waits for, when that may come by itself. */
export async function assertMayMerge(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  { isManual, force }: MergeWish,
): Promise<string | undefined> {
  if (pull.isMerged) throw refused('The pull request is already merged')
  if (issue.isClosed) throw notFound()
  const protection = await loadProtection(ctx, caller, view.repo)
  const rule = protection.ruleOf(pull.baseBranch)
  if (!canMerge(view, protection, rule)) throw refused('User not allowed to merge PR')
  if (isManual) return undefined
  if (isDraft(issue.title)) throw refused('Work in progress PRs cannot be merged')
  if (pull.isConflicting) throw refused('Please try again later')
  if (await isBlocked(ctx.db, view, issue)) {
    throw refused('The pull request still has open dependencies')
  }
  // The server has no key to sign a merge with, so that nobody's right and no waiting helps.
  if (rule?.settings.requiresSignedCommits) throw refused('Only verified commits can be merged')
  if (!rule || (force && overrules(caller, view, protection, rule))) return undefined
  return whatIsMissing(ctx, view, { issue, pull }, rule)
}

/** Whom a rule lists may merge; without a list, who writes the code. */
function canMerge(view: RepositoryView, protection: Protection, rule?: BranchRule): boolean {
  if (rule?.settings.lists.merge.isEnabled) return protection.canMerge(rule)
  return writesUnit(view, 'repo.code')
}

function overrules(
  caller: SignedInCaller,
  { access }: RepositoryView,
  protection: Protection,
  rule: BranchRule,
): boolean {
  if (protection.bypasses(rule)) return true
  const isAdmin = reaches(access.level, 'admin') || isSiteAdmin(caller)
  return isAdmin && !rule.settings.blocksAdminMerge
}

export function refused(message: string): AppError {
  return new AppError('method_not_allowed', message)
}
