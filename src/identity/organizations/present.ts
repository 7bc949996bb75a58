import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/context.ts'
import type { Account } from '../users/account.ts'
import { avatarUrl, readVisibility } from '../users/present.ts'
import type { NewOrganization } from './create.ts'
import type { OrganizationEdit } from './edit.ts'
import { reaches } from '../../platform/access-level.ts'
import type { Standing } from './policy.ts'
import type { WantedRights } from './rights.ts'
import type {
  CreateOrgOption,
  EditOrgOption,
  OrganizationBody,
  OrganizationPermissionsBody,
} from './schema.ts'
import type { CreateTeamOption, EditTeamOption, TeamBody } from './team-schema.ts'
import type { Team } from './team.ts'
import type { NewTeam, TeamEdit } from './teams.ts'

/** The contact address is for callers who have signed in. */
export function presentOrganization(
  config: Config,
  caller: Caller,
  org: Account,
): OrganizationBody {
  return {
    id: org.id,
    name: org.name,
    full_name: org.fullName,
    email: caller.account ? org.email : '',
    avatar_url: avatarUrl(config, org),
    description: org.description,
    website: org.website,
    location: org.location,
    visibility: org.visibility,
    repo_admin_change_team_access: org.repoAdminChangeTeamAccess,
    username: org.name,
  }
}

export function presentPermissions({
  level,
  canCreateRepositories,
}: Standing): OrganizationPermissionsBody {
  return {
    is_owner: reaches(level, 'owner'),
    is_admin: reaches(level, 'admin'),
    can_write: reaches(level, 'write'),
    can_read: reaches(level, 'read'),
    can_create_repository: canCreateRepositories,
  }
}

/** Lists within an organization leave the organization out. */
export function presentTeam(team: Team, organization: OrganizationBody | null = null): TeamBody {
  return {
    id: team.id,
    name: team.name,
    description: team.description,
    organization,
    includes_all_repositories: team.includesAllRepositories,
    permission: team.access,
    units: [...team.units.keys()],
    units_map: Object.fromEntries(team.units),
    can_create_org_repo: team.canCreateOrgRepo,
    visibility: team.visibility,
  }
}

export function readOrganizationEdit(body: Static<typeof EditOrgOption>): OrganizationEdit {
  return {
    fullName: body.full_name,
    email: body.email,
    description: body.description,
    website: body.website,
    location: body.location,
    visibility: readVisibility(body.visibility),
    repoAdminChangeTeamAccess: body.repo_admin_change_team_access,
  }
}

export function readNewOrganization(body: Static<typeof CreateOrgOption>): NewOrganization {
  return { name: body.username, ...readOrganizationEdit(body) }
}

export function readNewTeam(body: Static<typeof CreateTeamOption>): NewTeam {
  return { ...readTeamEdit(body), name: body.name }
}

/** An empty name is not given. */
export function readTeamEdit(body: Static<typeof EditTeamOption>): TeamEdit {
  return {
    name: body.name || undefined,
    description: body.description,
    rights: readRights(body),
    includesAllRepositories: body.includes_all_repositories,
    canCreateOrgRepo: body.can_create_org_repo,
    visibility: readVisibility(body.visibility),
  }
}

function readRights(body: Static<typeof EditTeamOption>): WantedRights {
  return { permission: body.permission, units: body.units, unitsMap: body.units_map }
}
