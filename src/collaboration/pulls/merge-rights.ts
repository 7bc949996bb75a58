import {
  isSiteAdmin,
  type Caller,
  type Context,
  type SignedInCaller,
} from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { isBlocked } from '../issues/state.ts'
import { loadProtection, type Protection } from '../../code/protection/enforce.ts'
import type { BranchRule } from '../../code/protection/rule.ts'
import { reaches } from '../../platform/access-level.ts'
import { writesUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { FoundPull } from './load.ts'
import { whatIsMissing } from './merge-readiness.ts'
import type { Reason } from '../../platform/reason.ts'
import { hasNothingToMerge, isDraft } from './pull.ts'

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
  if (hasNothingToMerge(pull)) throw refused('Please try again later', 'nothing_to_merge')
  if (await isBlocked(ctx.db, view, issue)) {
    throw refused('The pull request still has open dependencies')
  }
  // The server has no key to sign a merge with, so that nobody's right and no waiting helps.
  if (rule?.settings.requiresSignedCommits) throw refused('Only verified commits can be merged')
  if (!rule || (force && overrules(caller, view, protection, rule))) return undefined
  return whatIsMissing(ctx, view, { issue, pull }, rule)
}

/** What stands in the way of a merge, and what the caller may do about it. */
export interface MergeOutlook {
  readonly mayMerge: boolean
  readonly isDraft: boolean
  readonly isConflicting: boolean
  /** All of its commits are in the base branch. */
  readonly hasNothing: boolean
  /** Something else is to be closed first. */
  readonly isBlocked: boolean
  /** The rule of the branch wants what the server cannot do. */
  readonly needsSignature: boolean
  /** What the rule of the branch waits for. */
  readonly missing: string | undefined
  /** Whether the caller may merge in spite of that. */
  readonly mayOverrule: boolean
}

/** For people to look at: `assertMayMerge` decides. */
export async function loadMergeOutlook(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  found: FoundPull,
): Promise<MergeOutlook> {
  const { issue, pull } = found
  const protection = await loadProtection(ctx, caller, view.repo)
  const rule = protection.ruleOf(pull.baseBranch)
  return {
    mayMerge: caller.account !== undefined && canMerge(view, protection, rule),
    isDraft: isDraft(issue.title),
    isConflicting: pull.isConflicting,
    hasNothing: hasNothingToMerge(pull),
    isBlocked: await isBlocked(ctx.db, view, issue),
    needsSignature: rule?.settings.requiresSignedCommits ?? false,
    missing: rule && (await whatIsMissing(ctx, view, found, rule)),
    mayOverrule: rule !== undefined && overrules(caller, view, protection, rule),
  }
}

/** Whom a rule lists may merge; without a list, who writes the code. */
function canMerge(view: RepositoryView, protection: Protection, rule?: BranchRule): boolean {
  if (rule?.settings.lists.merge.isEnabled) return protection.canMerge(rule)
  return writesUnit(view, 'repo.code')
}

function overrules(
  caller: Caller,
  { access }: RepositoryView,
  protection: Protection,
  rule: BranchRule,
): boolean {
  if (protection.bypasses(rule)) return true
  const isAdmin = reaches(access.level, 'admin') || isSiteAdmin(caller)
  return isAdmin && !rule.settings.blocksAdminMerge
}

export function refused(message: string, reason?: Reason): AppError {
  return new AppError('method_not_allowed', message, { reason })
}
