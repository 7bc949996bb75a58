import { spend, type Budget } from '../../identity/auth/budgets.ts'
import type { Config } from '../../platform/config/config.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError, forbidden } from '../../platform/errors.ts'
import type { Account } from '../../identity/users/account.ts'
import { countRepositories } from './queries.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'

/** Told before anything is made. */
export async function assertWithinLimit(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  budget: Budget = 'creations',
): Promise<void> {
  if (lacksSecondFactor(ctx, caller)) {
    throw forbidden('Set up two-factor authentication first: without it nobody has repositories.')
  }
  const limit = limitFor(ctx.config, caller, owner)
  if (limit !== -1) await assertRoom(ctx.db, owner, limit)
  await spend(ctx, caller, budget)
}

/** Like `assertWithinLimit`, when it is made: others may have made theirs meanwhile. */
export async function assertStillWithinLimit(
  { config, db }: Pick<Context, 'config' | 'db'>,
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
): Promise<void> {
  const limit = limitFor(config, caller, owner)
  if (limit === -1) return
  await lock(db.dialect, tx, 'owned_repositories', owner.id)
  await assertRoom(tx, owner, limit)
}

/**
 * Zero means none, -1 any number; what the account itself says comes before the server's setting.
 */
function limitFor({ repositories }: Config, caller: SignedInCaller, owner: Account): number {
  if (isSiteAdmin(caller)) return -1
  if (owner.maxRepoCreation !== -1) return owner.maxRepoCreation
  return owner.kind === 'organization'
    ? repositories.max_per_organization
    : repositories.max_per_user
}

async function assertRoom(db: Executor, owner: Account, limit: number): Promise<void> {
  if ((await countRepositories(db, owner.id)) < limit) return
  throw new LimitReached(owner)
}

export class LimitReached extends AppError {
  constructor({ maxRepoCreation }: Account) {
    super('forbidden', `user has reached maximum limit of repositories [limit: ${maxRepoCreation}]`)
  }
}
