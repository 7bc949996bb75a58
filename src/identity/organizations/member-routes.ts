import { apiUrl } from '../../platform/config/urls.ts'
import { isSiteAdmin, type Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { noContent, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadPerson } from '../users/load.ts'
import { presentUser } from '../users/present.ts'
import { enterAsOwner, enterOrganization } from './access.ts'
import { loadOrganization } from './load.ts'
import {
  assertMayShowMember,
  listMembersFor,
  membersFor,
  publicMembersFor,
  removeMember,
  showMember,
} from './members.ts'
import { canSeeMembers } from './policy.ts'
import { isAmongMembers, listMembers } from './queries.ts'
import {
  orgConcealMember,
  orgDeleteMember,
  orgIsMember,
  orgIsPublicMember,
  orgListMembers,
  orgListPublicMembers,
  orgPublicizeMember,
} from './schema.ts'

export function memberRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/orgs/:org/members', orgListMembers, async (call) => {
    const entered = await enterOrganization(ctx, call)
    const found = await listMembersFor(ctx, entered, call.page)
    return call.list(found, (person) => presentUser(config, entered.caller, person))
  })

  api.get('/orgs/:org/members/:username', orgIsMember, async (call) => {
    const { caller, org, standing } = await enterOrganization(ctx, call)
    if (!canSeeMembers(caller, standing)) {
      const person = await loadPerson(ctx, caller, call.param('username'))
      if (person.id === caller.account.id) throw notFound()
      return toPublicMember(ctx, org.name, person.name)
    }
    const members = membersFor(ctx, caller, org, standing)
    if (!(await isAmongMembers(ctx.db, members, call.param('username')))) throw notFound()
    return noContent()
  })

  api.delete('/orgs/:org/members/:username', orgDeleteMember, async (call) => {
    const { caller, org } = await enterAsOwner(ctx, call)
    await removeMember(ctx, org, await loadPerson(ctx, caller, call.param('username')))
    return noContent()
  })

  api.get('/orgs/:org/public_members', orgListPublicMembers, async (call) => {
    const { caller } = call
    const org = await loadOrganization(ctx, caller, call.param('org'))
    const filter = isSiteAdmin(caller)
      ? ({ orgId: org.id, concealed: 'included' } as const)
      : publicMembersFor(ctx, caller, org)
    const found = await listMembers(ctx.db, filter, call.page)
    return call.list(found, (person) => presentUser(config, caller, person))
  })

  api.get('/orgs/:org/public_members/:username', orgIsPublicMember, async (call) => {
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    const members = publicMembersFor(ctx, call.caller, org)
    if (!(await isAmongMembers(ctx.db, members, call.param('username')))) throw notFound()
    return noContent()
  })

  api.put('/orgs/:org/public_members/:username', orgPublicizeMember, (call) =>
    changeShown(ctx, call, true),
  )

  api.delete('/orgs/:org/public_members/:username', orgConcealMember, (call) =>
    changeShown(ctx, call, false),
  )
}

async function changeShown(ctx: Context, call: Call, isPublic: boolean): Promise<Answer<never>> {
  const { caller, org, standing } = await enterOrganization(ctx, call)
  const person = await loadPerson(ctx, caller, call.param('username'))
  assertMayShowMember(caller, standing, person)
  await showMember(ctx, org, person, { isPublic })
  return noContent()
}

function toPublicMember({ config }: Context, org: string, person: string): Answer<never> {
  const { pathname } = new URL(apiUrl(config))
  const location = `${pathname}/orgs/${org}/public_members/${person}`
  return { status: 303, headers: { location } }
}
