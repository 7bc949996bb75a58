import { anonymous, type Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { created, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadVisibleAccount } from '../users/load.ts'
import { createOrganization } from './create.ts'
import { loadOrganization, loadStanding } from './load.ts'
import { presentOrganization, presentPermissions, readNewOrganization } from './present.ts'
import { listMemberships } from './memberships.ts'
import { listOrganizations } from './queries.ts'
import {
  adminCreateOrg,
  adminGetAllOrgs,
  adminListUserOrgs,
  CreateOrgOption,
  orgGetUserPermissions,
  orgListCurrentUserOrgs,
  orgListUserOrgs,
} from './schema.ts'

/** The organizations of people, for themselves and for others. */
export function personOrganizationRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/user/orgs', orgListCurrentUserOrgs, async (call) => {
    const caller = call.signedIn()
    const found = await listMemberships(ctx, caller, caller.account, call.page)
    return call.list(found, (org) => presentOrganization(config, caller, org))
  })

  api.get('/users/:username/orgs', orgListUserOrgs, async (call) => {
    const person = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    const caller = call.signedIn()
    const found = await listMemberships(ctx, caller, person, call.page)
    return call.list(found, (org) => presentOrganization(config, caller, org))
  })

  api.get('/users/:username/orgs/:org/permissions', orgGetUserPermissions, async (call) => {
    const person = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    call.signedIn()
    // Somebody who does not see the organization has no place in it to tell about.
    const seenByPerson = { ...anonymous, account: person }
    await loadOrganization(ctx, seenByPerson, org.name)
    return ok(presentPermissions(await loadStanding(ctx, seenByPerson, org)))
  })
}

export function adminOrganizationRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/admin/orgs', adminGetAllOrgs, async (call) => {
    const found = await listOrganizations(ctx.db, {}, call.page)
    return call.list(found, (org) => presentOrganization(config, call.caller, org))
  })

  api.get('/admin/users/:username/orgs', adminListUserOrgs, async (call) => {
    const person = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    const found = await listOrganizations(ctx.db, { memberId: person.id }, call.page)
    return call.list(found, (org) => presentOrganization(config, call.caller, org))
  })

  api.post('/admin/users/:username/orgs', adminCreateOrg, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    const wanted = readNewOrganization(await call.body(CreateOrgOption))
    if (owner.kind === 'organization') throw invalid(`${owner.name} is an organization not a user`)
    const org = await createOrganization(ctx, owner, wanted)
    return created(presentOrganization(config, call.caller, org))
  })
}
