import type { Context } from '../../platform/context.ts'
import { isGlob } from '../../platform/parsing/glob.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { formatTime } from '../../platform/time.ts'
import type { BranchRuleEdit } from './branch-rules.ts'
import { findShownNames, namesOf, type ShownNames } from './people.ts'
import { inEffect, type Allowlist, type BranchRule, type TagRule } from './rule.ts'
import type {
  BranchProtectionBody,
  EditBranchProtectionOption,
  EditTagProtectionOption,
  TagProtectionBody,
} from './schema.ts'
import type { TagRuleEdit } from './tag-rules.ts'

export async function presentBranchRules(
  ctx: Context,
  repo: Repository,
  rules: readonly BranchRule[],
): Promise<BranchProtectionBody[]> {
  const lists = rules.flatMap(({ settings }) => Object.values(settings.lists))
  const names = await findShownNames(ctx, repo, lists)
  return rules.map((rule) => presentBranchRule(rule, names))
}

function presentBranchRule(rule: BranchRule, shown: ShownNames): BranchProtectionBody {
  const settings = inEffect(rule.settings)
  const { push, forcePush, merge, bypass, approvals } = settings.lists
  const people = ({ accountIds }: Allowlist) => namesOf(accountIds, shown.people)
  const teams = ({ teamIds }: Allowlist) => namesOf(teamIds, shown.teams)
  return {
    branch_name: isGlob(rule.name) ? '' : rule.name,
    rule_name: rule.name,
    priority: rule.priority,
    enable_push: settings.canPush,
    enable_push_whitelist: push.isEnabled,
    push_whitelist_usernames: people(push),
    push_whitelist_teams: teams(push),
    push_whitelist_deploy_keys: push.deployKeys,
    enable_force_push: settings.canForcePush,
    enable_force_push_allowlist: forcePush.isEnabled,
    force_push_allowlist_usernames: people(forcePush),
    force_push_allowlist_teams: teams(forcePush),
    force_push_allowlist_deploy_keys: forcePush.deployKeys,
    enable_merge_whitelist: merge.isEnabled,
    merge_whitelist_usernames: people(merge),
    merge_whitelist_teams: teams(merge),
    enable_bypass_allowlist: bypass.isEnabled,
    bypass_allowlist_usernames: people(bypass),
    bypass_allowlist_teams: teams(bypass),
    enable_status_check: settings.checksStatus,
    status_check_contexts: [...settings.statusContexts],
    required_approvals: settings.requiredApprovals,
    enable_approvals_whitelist: approvals.isEnabled,
    approvals_whitelist_username: people(approvals),
    approvals_whitelist_teams: teams(approvals),
    block_on_rejected_reviews: settings.blocksOnRejectedReviews,
    block_on_official_review_requests: settings.blocksOnReviewRequests,
    block_on_codeowner_reviews: settings.blocksOnCodeOwnerReviews,
    block_on_outdated_branch: settings.blocksOnOutdatedBranch,
    dismiss_stale_approvals: settings.dismissesStaleApprovals,
    ignore_stale_approvals: settings.ignoresStaleApprovals,
    require_signed_commits: settings.requiresSignedCommits,
    protected_file_patterns: settings.protectedFiles,
    unprotected_file_patterns: settings.unprotectedFiles,
    block_admin_merge_override: settings.blocksAdminMerge,
    created_at: formatTime(rule.createdAt),
    updated_at: formatTime(rule.updatedAt),
  }
}

export function readBranchRuleEdit(body: EditBranchProtectionOption): BranchRuleEdit {
  return {
    priority: body.priority,
    settings: readSettings(body),
    lists: readLists(body),
  }
}

function readSettings(body: EditBranchProtectionOption): BranchRuleEdit['settings'] {
  return {
    canPush: body.enable_push,
    canForcePush: body.enable_force_push,
    checksStatus: body.enable_status_check,
    statusContexts: body.status_check_contexts,
    requiredApprovals: body.required_approvals,
    blocksOnRejectedReviews: body.block_on_rejected_reviews,
    blocksOnReviewRequests: body.block_on_official_review_requests,
    blocksOnCodeOwnerReviews: body.block_on_codeowner_reviews,
    blocksOnOutdatedBranch: body.block_on_outdated_branch,
    dismissesStaleApprovals: body.dismiss_stale_approvals,
    ignoresStaleApprovals: body.ignore_stale_approvals,
    requiresSignedCommits: body.require_signed_commits,
    protectedFiles: body.protected_file_patterns,
    unprotectedFiles: body.unprotected_file_patterns,
    blocksAdminMerge: body.block_admin_merge_override,
  }
}

function readLists(body: EditBranchProtectionOption): BranchRuleEdit['lists'] {
  return {
    push: {
      isEnabled: body.enable_push_whitelist,
      usernames: body.push_whitelist_usernames,
      teams: body.push_whitelist_teams,
      deployKeys: body.push_whitelist_deploy_keys,
    },
    forcePush: {
      isEnabled: body.enable_force_push_allowlist,
      usernames: body.force_push_allowlist_usernames,
      teams: body.force_push_allowlist_teams,
      deployKeys: body.force_push_allowlist_deploy_keys,
    },
    merge: {
      isEnabled: body.enable_merge_whitelist,
      usernames: body.merge_whitelist_usernames,
      teams: body.merge_whitelist_teams,
    },
    bypass: {
      isEnabled: body.enable_bypass_allowlist,
      usernames: body.bypass_allowlist_usernames,
      teams: body.bypass_allowlist_teams,
    },
    approvals: {
      isEnabled: body.enable_approvals_whitelist,
      usernames: body.approvals_whitelist_username,
      teams: body.approvals_whitelist_teams,
    },
  }
}

export async function presentTagRules(
  ctx: Context,
  repo: Repository,
  rules: readonly TagRule[],
): Promise<TagProtectionBody[]> {
  const names = await findShownNames(ctx, repo, rules)
  return rules.map((rule) => ({
    id: rule.id,
    name_pattern: rule.pattern,
    whitelist_usernames: namesOf(rule.accountIds, names.people),
    whitelist_teams: namesOf(rule.teamIds, names.teams),
    created_at: formatTime(rule.createdAt),
    updated_at: formatTime(rule.updatedAt),
  }))
}

export function readTagRuleEdit(body: EditTagProtectionOption): TagRuleEdit {
  return {
    // No tag has blanks in its name.
    pattern: body.name_pattern?.trim(),
    usernames: body.whitelist_usernames,
    teams: body.whitelist_teams,
  }
}
