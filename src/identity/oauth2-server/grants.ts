import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { readAccessToken } from './access-token.ts'
import { deleteExpired, deleteGrantOf, findGrant, listGrants, type ListedGrant } from './queries.ts'
import { scopesOf } from './scope.ts'

/** Who lets a program call with this token, and how far they let it. */
export async function callerByGrant(
  ctx: Context,
  token: string,
): Promise<SignedInCaller | undefined> {
  const id = ctx.config.oauth2.enabled ? readAccessToken(ctx, token)?.grantId : undefined
  if (id === undefined) return undefined
  const grant = await ctx.grantCache.get(String(id), () => findGrant(ctx.db, id))
  if (!grant) return undefined
  const { account, scope } = grant
  const scopes = scopesOf(scope)
  return {
    account,
    credential: { kind: 'grant', id, scopes, scope },
    publicOnly: scopes.publicOnly,
  }
}

export async function isGranted(db: Executor, id: number): Promise<boolean> {
  return (await findGrant(db, id)) !== undefined
}

/** The newest first. */
export async function grantsOf(ctx: Context, account: Account): Promise<readonly ListedGrant[]> {
  return listGrants(ctx.db, account.id)
}

/** The program can do nothing more, at once. */
export async function endGrant(ctx: Context, account: Account, id: number): Promise<void> {
  if (!(await deleteGrantOf(ctx.db, account.id, id))) throw notFound()
}

/** A scheduled task. */
export async function forgetExpiredGrants({ db, now }: Context): Promise<void> {
  await deleteExpired(db, now())
}
