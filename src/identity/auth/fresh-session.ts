import type { Context, SignedInCaller } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { sessionsOf } from './sessions.ts'

/** So long after signing in somebody is taken for who did so. */
const FRESH_SECONDS = 600

/** Whoever sits before the browser is still the one who signed in, as far as anybody can tell. */
export async function hasJustSignedIn(ctx: Context, caller: SignedInCaller): Promise<boolean> {
  const own = (await sessionsOf(ctx, caller)).find(({ isOwn }) => isOwn)
  return own !== undefined && own.createdAt > ctx.now() - FRESH_SECONDS
}

/**
 * In place of the password, of those who may have none: whoever finds the browser later need not be
 * that person.
 */
export async function assertJustSignedIn(ctx: Context, caller: SignedInCaller): Promise<void> {
  if (await hasJustSignedIn(ctx, caller)) return
  throw invalid(
    'This is for those who have signed in within the last ten minutes. Sign out and in again.',
  )
}
