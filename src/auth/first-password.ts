import type { Context, SignedInCaller } from '../context.ts'
import { forbidden, invalid } from '../errors.ts'
import type { Account } from '../users/account.ts'
import { changePassword } from '../users/edit.ts'
import { holdAsLoaded } from './as-loaded.ts'
import { sessionsOf } from './sessions.ts'

/** So long after signing in somebody is taken for who did so. */
const FRESH_SECONDS = 600

/** Somebody else says who they are. */
export function hasPassword({ passwordHash }: Account): boolean {
  return passwordHash !== ''
}

/** For who has none, and has signed in just now: whoever finds the browser later need not be that person. */
export async function setFirstPassword(
  ctx: Context,
  caller: SignedInCaller,
  password: string,
): Promise<void> {
  const own = (await sessionsOf(ctx, caller)).find(({ isOwn }) => isOwn)
  if (!own || own.createdAt <= ctx.now() - FRESH_SECONDS) {
    throw invalid(
      'this is for who has signed in within the last ten minutes: sign out and in again',
    )
  }
  await changePassword(ctx, caller.account, password, { mustChange: false }, async (tx) => {
    const { account } = caller
    if (hasPassword(account) || !(await holdAsLoaded(tx, account, ctx.now()))) {
      throw forbidden('There is a password already.')
    }
  })
}
