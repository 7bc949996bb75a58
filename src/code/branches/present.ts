import type { Authors } from '../commits/authors.ts'
import { presentPayloadCommit, type Links } from '../commits/present.ts'
import type { Verifications } from '../commits/verification.ts'
import type { Protection } from '../protection/enforce.ts'
import { reaches } from '../../platform/access-level.ts'
import { unitLevel } from '../../repositories/repository/access.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Branch } from './list.ts'
import type { BranchBody } from './schema.ts'

export interface BranchDetails {
  readonly authors: Authors
  readonly verifications: Verifications
  readonly protection: Protection
}

export function presentBranch(
  { access, units }: RepositoryView,
  links: Links,
  { name, commit }: Branch,
  { protection, ...people }: BranchDetails,
  room?: number,
): BranchBody {
  const rule = protection.ruleOf(name)
  const isAdmin = reaches(access.level, 'admin')
  const canWrite = reaches(unitLevel(access, units, 'repo.code'), 'write')
  return {
    name,
    commit: presentPayloadCommit(links, commit, people, room),
    protected: rule !== undefined,
    required_approvals: rule?.settings.requiredApprovals ?? 0,
    enable_status_check: rule?.settings.checksStatus ?? false,
    status_check_contexts: [...(rule?.settings.statusContexts ?? [])],
    user_can_push: canWrite && (!rule || protection.canPush(rule)),
    user_can_merge: canWrite && (!rule || protection.canMerge(rule)),
    effective_branch_protection_name: isAdmin ? (rule?.name ?? '') : '',
  }
}
