import type { Caller, Context } from '../../platform/context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { letsWriteUnit, showsUnitTo } from '../../identity/organizations/unit-conditions.ts'
import { isUnitAvailable } from '../../repositories/repository/units.ts'
import type { Account } from '../../identity/users/account.ts'
import { idsAmong, loadVisibleAccount } from '../../identity/users/load.ts'

const UNIT = 'repo.packages'

/** Somebody whose packages the caller sees; a server without packages has nobody. */
export async function loadPublisher(ctx: Context, caller: Caller, name: string): Promise<Account> {
  if (!isUnitAvailable(ctx.config, UNIT)) throw notFound()
  const owner = await loadVisibleAccount(ctx, caller, name)
  if (!(await readsPackagesOf(ctx, caller, owner))) throw notFound()
  return owner
}

export async function readsPackagesOf(
  ctx: Context,
  caller: Caller,
  { id }: Account,
): Promise<boolean> {
  const { db, config } = ctx
  if (!isUnitAvailable(config, UNIT)) return false
  return (await idsAmong(db, [id], showsUnitTo(config, caller, UNIT))).has(id)
}

export async function mayPublishFor(
  ctx: Context,
  caller: Caller,
  { id }: Account,
): Promise<boolean> {
  return (await idsAmong(ctx.db, [id], letsWriteUnit(ctx.config, caller, UNIT))).has(id)
}

export async function assertPublishesFor(
  ctx: Context,
  caller: Caller,
  owner: Account,
): Promise<void> {
  if (await mayPublishFor(ctx, caller, owner)) return
  throw forbidden(`You may not publish packages of ${owner.name}.`)
}
