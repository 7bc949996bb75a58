import type { Context, SignedInCaller } from '../context.ts'
import { forbidden } from '../errors.ts'
import type { Account } from '../users/account.ts'
import { changePassword } from '../users/edit.ts'
import { holdAsLoaded } from './as-loaded.ts'
import { assertJustSignedIn } from './fresh-session.ts'

/** Otherwise somebody else says who they are. */
export function hasPassword({ passwordHash }: Account): boolean {
  return passwordHash !== ''
}

/** For who has none, and has signed in just now. */
export async function setFirstPassword(
  ctx: Context,
  caller: SignedInCaller,
  password: string,
): Promise<void> {
  await assertJustSignedIn(ctx, caller)
  await changePassword(ctx, caller.account, password, { mustChange: false }, async (tx) => {
    const { account } = caller
    if (hasPassword(account) || !(await holdAsLoaded(tx, account, ctx.now()))) {
      throw forbidden('There is a password already.')
    }
  })
}
