import type { Context, SignedInCaller } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { assertReads } from '../../repositories/repository/load.ts'
import { listOf } from '../../repositories/repository/list.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import { assertMayCreateIn } from '../../repositories/repository/may-create.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { asOwner, viewRepository } from '../../repositories/repository/view.ts'
import { loadOrganization } from '../../identity/organizations/load.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName } from '../../identity/users/load.ts'
import { forkRepository } from './fork.ts'
import { createFork, CreateForkOption, listForks } from './schema.ts'

export function forkRoutes(api: Api, ctx: Context): void {
  api.post('/repos/:owner/:repo/forks', createFork, async (call) => {
    const base = await loadOfPath(ctx, call)
    assertReads(base, 'repo.code')
    const caller = call.signedIn()
    const { organization, name } = await call.body(CreateForkOption)
    const owner = organization ? await loadTarget(ctx, caller, organization) : caller.account
    const fork = await forkRepository(ctx, caller, base, owner, name || base.repo.name)
    const view = asOwner(await viewRepository(ctx, caller, fork))
    return { status: 202, body: presentRepository(ctx.config, view) }
  })

  api.get('/repos/:owner/:repo/forks', listForks, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    return listOf(ctx, call, { forksOf: repo.id, order: 'id' })
  })
}

async function loadTarget(ctx: Context, caller: SignedInCaller, name: string): Promise<Account> {
  const named = await findByName(ctx, name)
  if (named?.kind !== 'organization') throw notFound()
  const org = await loadOrganization(ctx, caller, name)
  await assertMayCreateIn(ctx, caller, org)
  return org
}
