import type { Context, SignedInCaller } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { ok, type Answer } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { loadOfPath } from '../repositories/routes.ts'
import { findCurrent } from '../repositories/load.ts'
import { presentRepository } from '../repositories/present.ts'
import { assertOwns } from '../repositories/remove.ts'
import type { RepositoryBody } from '../repositories/schema.ts'
import type { RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'
import { findByName, isSeen } from '../users/load.ts'
import {
  acceptRepoTransfer,
  rejectRepoTransfer,
  repoTransfer,
  TransferRepoOption,
} from './schema.ts'
import { acceptTransfer, findOffered, offerTransfer, rejectTransfer } from './transfer.ts'

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
    const view = await loadOffered(ctx, call)
    const caller = call.signedIn()
    await acceptTransfer(ctx, caller, view)
    return { status: 202, body: await current(caller, view) }
  })

  api.post(`${transfer}/reject`, rejectRepoTransfer, async (call) => {
    const view = await loadOffered(ctx, call)
    const caller = call.signedIn()
    await rejectTransfer(ctx, caller, view)
    return ok(await current(caller, view))
  })
}

/** Whoever hands something over names a person, seen or not; organizations are known to those who see them. */
async function loadNewOwner(ctx: Context, caller: SignedInCaller, name: string): Promise<Account> {
  const account = await findByName(ctx, name)
  const isKnown = account && (account.kind === 'person' || (await isSeen(ctx, caller, account)))
  if (!isKnown) throw notFound('The new owner does not exist or cannot be found')
  return account
}

async function loadOffered(ctx: Context, call: Call): Promise<RepositoryView> {
  try {
    return await loadOfPath(ctx, call)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const path = { owner: call.param('owner'), repo: call.param('repo') }
    const offered = await findOffered(ctx, call.caller, path)
    if (!offered) throw error
    return offered
  }
}
