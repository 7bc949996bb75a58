import { logRightsChange } from '../../platform/audit.ts'
import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { claimAccount } from '../users/create.ts'
import { assertContactAddress } from './edit.ts'
import { holdMemberships } from './hold.ts'
import { insertMember } from './queries.ts'
import { everyUnit, OWNERS } from './team.ts'
import { insertTeam, insertTeamMember } from './team-queries.ts'

export interface NewOrganization {
  readonly name: string
  readonly fullName?: string | undefined
  readonly email?: string | undefined
  readonly description?: string | undefined
  readonly website?: string | undefined
  readonly location?: string | undefined
  readonly visibility?: Visibility | undefined
  readonly repoAdminChangeTeamAccess?: boolean | undefined
}

export function mayCreate({ config }: Pick<Context, 'config'>, caller: Caller): boolean {
  if (isSiteAdmin(caller)) return true
  return config.organizations.creation && (caller.account?.allowCreateOrganization ?? false)
}

export function assertMayCreate(ctx: Context, caller: Caller): void {
  if (!mayCreate(ctx, caller)) throw forbidden('not allowed to create organizations')
}

/** Makes an organization that `owner` owns through its team of owners. */
export async function createOrganization(
  ctx: Context,
  owner: Account,
  wanted: NewOrganization,
): Promise<Account> {
  assertContactAddress(wanted.email)
  const now = ctx.now()
  const created = await ctx.db.transaction().execute(async (tx) => {
    await holdMemberships(ctx, tx, owner.id)
    const org = await claimAccount(ctx, tx, {
      kind: 'organization',
      name: wanted.name,
      lower_name: wanted.name.toLowerCase(),
      full_name: wanted.fullName ?? '',
      lower_full_name: (wanted.fullName ?? '').toLowerCase(),
      email: wanted.email ?? '',
      description: wanted.description ?? '',
      website: wanted.website ?? '',
      location: wanted.location ?? '',
      visibility: wanted.visibility ?? ctx.config.organizations.default_visibility,
      repo_admin_change_team_access: wanted.repoAdminChangeTeamAccess ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    const owners = await insertTeam(tx, ownersOf(org), everyUnit('owner'))
    await insertTeamMember(tx, owners.id, owner.id)
    await insertMember(tx, org.id, owner.id)
    return org
  })
  const details = { organization: created.name, account: owner.name }
  logRightsChange(ctx.log, 'organization created', details)
  return created
}

function ownersOf({ id }: Account) {
  return {
    org_id: id,
    name: OWNERS,
    lower_name: OWNERS.toLowerCase(),
    access: 'owner',
    includes_all_repositories: 1,
    can_create_org_repo: 1,
    visibility: 'limited',
  } as const
}
