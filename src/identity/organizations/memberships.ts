import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Account } from '../users/account.ts'
import { isVisibleTo } from '../users/visibility.ts'
import { listOrganizations, type OrganizationFilter } from './queries.ts'
import { findTeamNames } from './team-queries.ts'

/** The organizations of a person, as far as the caller may know. */
export async function listMemberships(
  ctx: Context,
  caller: Caller,
  person: Account,
  page: Page,
): Promise<PageOf<Account>> {
  return listOrganizations(ctx.db, shownOf(ctx, caller, person), page)
}

/**
 * Others see the memberships that a person shows, in organizations that they may see themselves.
 */
function shownOf(ctx: Context, caller: Caller, person: Account): OrganizationFilter {
  const all = caller.account?.id === person.id || isSiteAdmin(caller)
  return {
    memberId: person.id,
    publicMembership: !all,
    visible: all ? undefined : isVisibleTo(ctx.config, caller),
    visibilities: caller.publicOnly ? ['public'] : undefined,
  }
}

/** As other programs take groups: each organization, and each of its teams with it. */
export async function groupNamesOf(ctx: Context, person: Account): Promise<readonly string[]> {
  const teams = await findTeamNames(ctx.db, person.id)
  return [...new Set(teams.flatMap(({ org, team }) => [org, `${org}:${team}`]))]
}
