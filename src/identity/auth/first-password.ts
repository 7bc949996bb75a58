import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { changePassword } from '../users/edit.ts'
import { holdAsLoaded } from './as-loaded.ts'
import { assertJustSignedIn } from './fresh-session.ts'
import type { Trace } from './security-news.ts'

/** Otherwise somebody else says who they are. */
export function hasPassword({ passwordHash }: Account): boolean {
  return passwordHash !== ''
}

/** For who has none, and has signed in just now. */
export async function setFirstPassword(
  ctx: Context,
  caller: SignedInCaller,
  password: string,
  trace: Trace,
): Promise<void> {
  await assertJustSignedIn(ctx, caller)
  const change = { mustChange: false, trace }
  await changePassword(ctx, caller.account, password, change, async (tx) => {
    const { account } = caller
    if (hasPassword(account) || !(await holdAsLoaded(tx, account, ctx.now()))) {
      throw forbidden('There is a password already.')
    }
  })
}
