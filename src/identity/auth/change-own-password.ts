import type { Context } from '../../platform/context.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { assertPasswordAllowed } from '../users/create.ts'
import { changePassword } from '../users/edit.ts'
import { holdAsLoaded } from './as-loaded.ts'
import { checkPassword, type Second } from './authenticate.ts'
import type { Trace } from './security-news.ts'

export interface PasswordChange {
  readonly name: string
  readonly oldPassword: string
  readonly newPassword: string
}

/** For whoever has the old password, and the second factor where there is one. */
export async function changeOwnPassword(
  ctx: Context,
  { name, oldPassword, newPassword }: PasswordChange,
  second: Second,
  trace: Trace,
): Promise<void> {
  // Before the old one is looked at: a one-time code is good for one try.
  assertPasswordAllowed(ctx, newPassword)
  if (newPassword === oldPassword) throw invalid('password must differ from the old one')
  const account = await checkPassword(ctx, { name, password: oldPassword }, second)
  if (!account?.isActive) throw wrong()
  // Who has set another one meanwhile has done so to keep out whoever has the old one.
  const change = { mustChange: false, trace: { ...trace, actor: account.name } }
  await changePassword(ctx, account, newPassword, change, async (tx) => {
    if (!(await holdAsLoaded(tx, account, ctx.now()))) throw wrong()
  })
}

function wrong(): AppError {
  return new AppError('unauthenticated', 'invalid username, password or one-time code')
}
