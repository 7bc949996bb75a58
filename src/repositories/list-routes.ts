import { enterTeam } from '../organizations/access.ts'
import { loadOrganization } from '../organizations/load.ts'
import type { Context } from '../context.ts'
import type { PageOf } from '../db/page.ts'
import type { Answer } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { loadVisibleAccount } from '../users/load.ts'
import { presentRepository } from './present.ts'
import { listRepositories } from './queries.ts'
import type { Repository } from './repository.ts'
import {
  orgListRepos,
  orgListTeamRepos,
  userCurrentListRepos,
  userListRepos,
  type RepositoryBody,
} from './schema.ts'
import { viewRepositories } from './view.ts'
import { isOwnRepository, isVisibleRepository } from './visibility.ts'

export function repositoryListRoutes(api: Api, ctx: Context): void {
  const visibleTo = (call: Call) => isVisibleRepository(ctx.config, call.caller)

  api.get('/user/repos', userCurrentListRepos, async (call) => {
    const visible = isOwnRepository(call.signedIn())
    return listAnswer(
      ctx,
      call,
      await listRepositories(ctx.db, { visible, order: 'name' }, call.page),
    )
  })

  api.get('/users/:username/repos', userListRepos, async (call) => {
    const { id } = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    const filter = { visible: visibleTo(call), ownerId: id, order: 'id' } as const
    return listAnswer(ctx, call, await listRepositories(ctx.db, filter, call.page))
  })

  api.get('/orgs/:org/repos', orgListRepos, async (call) => {
    const { id } = await loadOrganization(ctx, call.caller, call.param('org'))
    const filter = { visible: visibleTo(call), ownerId: id, order: 'id' } as const
    return listAnswer(ctx, call, await listRepositories(ctx.db, filter, call.page))
  })

  api.get('/teams/:id/repos', orgListTeamRepos, async (call) => {
    const { team } = await enterTeam(ctx, call)
    const filter = { visible: visibleTo(call), teamId: team.id, order: 'id' } as const
    return listAnswer(ctx, call, await listRepositories(ctx.db, filter, call.page))
  })
}

/** A page of repositories, each with the caller's permissions. */
export async function listAnswer(
  ctx: Context,
  call: Call,
  found: PageOf<Repository>,
): Promise<Answer<RepositoryBody[]>> {
  const views = await viewRepositories(ctx, call.caller, found.items)
  const body = views.map((view) => presentRepository(ctx.config, view, { language: true }))
  return call.listOf(found, body)
}
