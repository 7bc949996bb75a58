import { enterTeam } from '../organizations/access.ts'
import { loadOrganization } from '../organizations/load.ts'
import type { Context } from '../context.ts'
import type { Api } from '../http/api.ts'
import { loadVisibleAccount } from '../users/load.ts'
import { listOf } from './list.ts'
import {
  orgListRepos,
  orgListTeamRepos,
  userCurrentListRepos,
  userListRepos,
} from './list-schema.ts'
import { isOwnRepository } from './visibility.ts'

export function repositoryListRoutes(api: Api, ctx: Context): void {
  api.get('/user/repos', userCurrentListRepos, async (call) => {
    const visible = await isOwnRepository(ctx, call.signedIn())
    return listOf(ctx, call, { visible, order: 'name' })
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
