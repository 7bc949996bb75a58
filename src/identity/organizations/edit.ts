import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { despiteDeadlocks } from '../../platform/db/unavailable.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { isEmailAddress } from '../../platform/account-names.ts'
import { updateOrganization } from './queries.ts'

/** `undefined` leaves a field as it is. */
export interface OrganizationEdit {
  readonly fullName?: string | undefined
  readonly email?: string | undefined
  readonly description?: string | undefined
  readonly website?: string | undefined
  readonly location?: string | undefined
  readonly visibility?: Visibility | undefined
  readonly repoAdminChangeTeamAccess?: boolean | undefined
}

export async function editOrganization(
  ctx: Context,
  org: Account,
  edit: OrganizationEdit,
): Promise<Account> {
  assertContactAddress(edit.email)
  const { repoAdminChangeTeamAccess: mayChange } = edit
  const changes: Changes<'account'> = {
    full_name: edit.fullName,
    lower_full_name: edit.fullName?.toLowerCase(),
    email: edit.email,
    description: edit.description,
    website: edit.website,
    location: edit.location,
    visibility: edit.visibility,
    repo_admin_change_team_access: mayChange === undefined ? undefined : mayChange ? 1 : 0,
    updated_at: ctx.now(),
  }
  // Who sees it is written into each of its repositories.
  const edited = await despiteDeadlocks(() => updateOrganization(ctx.db, org.id, changes))
  if (!edited) throw notFound()
  if (edit.visibility !== undefined || mayChange !== undefined) {
    const rights = { visibility: edit.visibility, repoAdminChangeTeamAccess: mayChange }
    logRightsChange(ctx.log, 'organization edited', { organization: org.name, ...rights })
  }
  return edited
}

/** An organization may do without one. */
export function assertContactAddress(email: string | undefined): void {
  if (email && !isEmailAddress(email))
    throw invalid(`e-mail invalid [email: ${email}]`, { reason: 'email_invalid' })
}
