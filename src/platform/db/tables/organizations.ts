import type { Generated } from 'kysely'
import type { AccessLevel, Flag, Visibility } from '../columns.ts'

/** Who belongs to an organization, and what its teams may do. */
export interface OrganizationTables {
  team: TeamTable
  team_unit: TeamUnitTable
  team_member: TeamMemberTable
  organization_member: OrganizationMemberTable
  team_repository: TeamRepositoryTable
}

interface TeamTable {
  id: Generated<number>
  org_id: number
  name: string
  lower_name: string
  description: Generated<string>
  /** `none` while the levels are per unit. */
  access: AccessLevel
  includes_all_repositories: Flag
  can_create_org_repo: Flag
  visibility: Visibility
}

interface TeamUnitTable {
  team_id: number
  unit: string
  access: AccessLevel
}

interface TeamMemberTable {
  team_id: number
  account_id: number
}

interface OrganizationMemberTable {
  org_id: number
  account_id: number
  is_public: Flag
}

interface TeamRepositoryTable {
  team_id: number
  repository_id: number
}
