import type { Caller, Context } from '../../platform/context.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { renameAccount } from '../users/edit.ts'
import { enterAsOwner } from './access.ts'
import { assertMayCreate, createOrganization } from './create.ts'
import { editOrganization } from './edit.ts'
import { loadOrganization } from './load.ts'
import { presentOrganization, readNewOrganization, readOrganizationEdit } from './present.ts'
import { listOrganizations, type OrganizationFilter } from './queries.ts'
import { removeOrganization } from './remove.ts'
import {
  CreateOrgOption,
  EditOrgOption,
  orgCreate,
  orgDelete,
  orgEdit,
  orgGet,
  orgGetAll,
  renameOrg,
  RenameOrgOption,
} from './schema.ts'

export function organizationRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/orgs', orgGetAll, async (call) => {
    const found = await listOrganizations(ctx.db, listedFor(call.caller), call.page)
    return call.list(found, (org) => presentOrganization(config, call.caller, org))
  })

  api.post('/orgs', orgCreate, async (call) => {
    const caller = call.signedIn()
    assertMayCreate(ctx, caller)
    const wanted = readNewOrganization(await call.body(CreateOrgOption))
    const org = await createOrganization(ctx, caller.account, wanted)
    return created(presentOrganization(config, caller, org))
  })

  api.get('/orgs/:org', orgGet, async (call) => {
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    return ok(presentOrganization(config, call.caller, org))
  })

  api.patch('/orgs/:org', orgEdit, async (call) => {
    const { caller, org } = await enterAsOwner(ctx, call)
    const edit = readOrganizationEdit(await call.body(EditOrgOption))
    return ok(presentOrganization(config, caller, await editOrganization(ctx, org, edit)))
  })

  api.delete('/orgs/:org', orgDelete, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    await removeOrganization(ctx, org)
    return noContent()
  })

  api.post('/orgs/:org/rename', renameOrg, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    const { new_name: name } = await call.body(RenameOrgOption)
    await renameAccount(ctx, org, name)
    return noContent()
  })
}

/**
 * Private organizations are in no list but the administrators', restricted callers find their own.
 */
function listedFor({ account, publicOnly }: Caller): OrganizationFilter {
  if (account?.isAdmin && !publicOnly) return {}
  const visibilities: Visibility[] = account && !publicOnly ? ['public', 'limited'] : ['public']
  return { visibilities, memberId: account?.isRestricted ? account.id : undefined }
}
