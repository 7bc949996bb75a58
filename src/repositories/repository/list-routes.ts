import { enterTeam } from '../../identity/organizations/access.ts'
import { loadOrganization } from '../../identity/organizations/load.ts'
import type { Context } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import { listOf, presentList } from './list.ts'
import { listOwn } from './list-seen.ts'
import {
  orgListRepos,
  orgListTeamRepos,
  userCurrentListRepos,
  userListRepos,
} from './list-schema.ts'

export function repositoryListRoutes(api: Api, ctx: Context): void {
  api.get('/user/repos', userCurrentListRepos, async (call) => {
    const found = await listOwn(ctx, call.signedIn(), call.page)
    return presentList(ctx, call, found)
  })

  api.get('/users/:username/repos', userListRepos, async (call) => {
    const { id } = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    return listOf(ctx, call, { ownerId: id, order: 'id' })
  })

  api.get('/orgs/:org/repos', orgListRepos, async (call) => {
    const { id } = await loadOrganization(ctx, call.caller, call.param('org'))
    return listOf(ctx, call, { ownerId: id, order: 'id' })
  })

  api.get('/teams/:id/repos', orgListTeamRepos, async (call) => {
    const { team } = await enterTeam(ctx, call)
    return listOf(ctx, call, { teamId: team.id, order: 'name' })
  })
}
