import type { Row } from '../../platform/db/schema.ts'

/** Who is let through, while the list is in use. */
export interface Allowlist {
  readonly isEnabled: boolean
  readonly accountIds: readonly number[]
  readonly teamIds: readonly number[]
  readonly deployKeys: boolean
}

export type AllowlistName = 'push' | 'forcePush' | 'merge' | 'bypass' | 'approvals'

export interface BranchSettings {
  readonly canPush: boolean
  readonly canForcePush: boolean
  readonly lists: Readonly<Record<AllowlistName, Allowlist>>
  readonly checksStatus: boolean
  readonly statusContexts: readonly string[]
  readonly requiredApprovals: number
  readonly blocksOnRejectedReviews: boolean
  readonly blocksOnReviewRequests: boolean
  readonly blocksOnCodeOwnerReviews: boolean
  readonly blocksOnOutdatedBranch: boolean
  readonly dismissesStaleApprovals: boolean
  readonly ignoresStaleApprovals: boolean
  readonly requiresSignedCommits: boolean
  /** Globs, separated by semicolons. */
  readonly protectedFiles: string
  readonly unprotectedFiles: string
  readonly blocksAdminMerge: boolean
}

export interface BranchRule {
  readonly id: number
  /** Of a branch, or a glob. */
  readonly name: string
  readonly priority: number
  readonly settings: BranchSettings
  readonly createdAt: number
  readonly updatedAt: number
}

export interface TagRule {
  readonly id: number
  readonly pattern: string
  readonly accountIds: readonly number[]
  readonly teamIds: readonly number[]
  readonly createdAt: number
  readonly updatedAt: number
}

const nobody: Allowlist = { isEnabled: false, accountIds: [], teamIds: [], deployKeys: false }

/**
 * What a rule says about which nothing else is said: nobody pushes, everybody who may write merges.
 */
export const newSettings: BranchSettings = {
  canPush: false,
  canForcePush: false,
  lists: { push: nobody, forcePush: nobody, merge: nobody, bypass: nobody, approvals: nobody },
  checksStatus: false,
  statusContexts: [],
  requiredApprovals: 0,
  blocksOnRejectedReviews: false,
  blocksOnReviewRequests: false,
  blocksOnCodeOwnerReviews: false,
  blocksOnOutdatedBranch: false,
  dismissesStaleApprovals: false,
  ignoresStaleApprovals: false,
  requiresSignedCommits: false,
  protectedFiles: '',
  unprotectedFiles: '',
  blocksAdminMerge: false,
}

/**
 * What counts of what was set: flags below one that is off do not. They are kept all the same, so
 * that pushes that are allowed again are not allowed to more people than before.
 */
export function inEffect(settings: BranchSettings): BranchSettings {
  const { canPush, lists } = settings
  const canForcePush = canPush && settings.canForcePush
  return {
    ...settings,
    canForcePush,
    lists: {
      ...lists,
      push: canPush ? onlyIfEnabled(lists.push) : switchedOff(lists.push),
      forcePush: canForcePush ? onlyIfEnabled(lists.forcePush) : switchedOff(lists.forcePush),
    },
  }
}

function onlyIfEnabled(list: Allowlist): Allowlist {
  return list.isEnabled ? list : switchedOff(list)
}

function switchedOff(list: Allowlist): Allowlist {
  return { ...list, isEnabled: false, deployKeys: false }
}

export function toBranchRule(row: Row<'branch_protection'>): BranchRule {
  return {
    id: row.id,
    name: row.name,
    priority: row.priority,
    settings: { ...newSettings, ...(JSON.parse(row.settings) as Partial<BranchSettings>) },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toTagRule(row: Row<'tag_protection'>): TagRule {
  return {
    id: row.id,
    pattern: row.pattern,
    accountIds: JSON.parse(row.account_ids) as number[],
    teamIds: JSON.parse(row.team_ids) as number[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
