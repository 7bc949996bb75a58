import type { Context, SignedInCaller } from '../../platform/context.ts'
import { ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { findCurrent } from '../../repositories/repository/load.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import { assertOwns } from '../../repositories/repository/remove.ts'
import type { RepositoryPath } from '../../repositories/repository/repository.ts'
import type { RepositoryBody } from '../../repositories/repository/schema.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { loadNewOwner, loadOffered } from './load.ts'
import {
  acceptRepoTransfer,
  rejectRepoTransfer,
  repoTransfer,
  TransferRepoOption,
} from './schema.ts'
import { acceptTransfer, offerTransfer, rejectTransfer } from './transfer.ts'

export function transferRoutes(api: Api, ctx: Context): void {
  const transfer = '/repos/:owner/:repo/transfer'

  const current = async (caller: SignedInCaller, view: RepositoryView): Promise<RepositoryBody> =>
    presentRepository(ctx.config, await findCurrent(ctx, caller, view.repo.id))

  api.post(transfer, repoTransfer, async (call): Promise<Answer<RepositoryBody>> => {
    const view = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    assertOwns(view)
    const { new_owner: name, team_ids: teamIds = [] } = await call.body(TransferRepoOption)
    const newOwner = await loadNewOwner(ctx, caller, name)
    const outcome = await offerTransfer(ctx, caller, view, newOwner, teamIds)
    return { status: outcome === 'done' ? 202 : 201, body: await current(caller, view) }
  })

  api.post(`${transfer}/accept`, acceptRepoTransfer, async (call) => {
    const view = await loadOffered(ctx, call.caller, pathOf(call))
    const caller = call.signedIn()
    await acceptTransfer(ctx, caller, view)
    return { status: 202, body: await current(caller, view) }
  })

  api.post(`${transfer}/reject`, rejectRepoTransfer, async (call) => {
    const view = await loadOffered(ctx, call.caller, pathOf(call))
    const caller = call.signedIn()
    await rejectTransfer(ctx, caller, view)
    return ok(await current(caller, view))
  })
}

function pathOf(call: Call): RepositoryPath {
  return { owner: call.param('owner'), repo: call.param('repo') }
}
