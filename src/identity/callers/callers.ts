import { isUsable } from '../auth/sessions.ts'
import { anonymous, callerOf, type Caller, type Context } from '../../platform/context.ts'
import type { Callers } from '../../platform/http/server.ts'
import { findById } from '../users/load.ts'
import { assertAdmitted, identify, identifyAgain } from './identify.ts'

/** What the HTTP kit asks about callers. */
export const callers: Callers = { identify, identifyAgain, assertAdmitted, callerFor }

async function callerFor(ctx: Context, accountId: number): Promise<Caller | undefined> {
  if (accountId === 0) return anonymous
  const account = await findById(ctx, accountId)
  return account && isUsable(account) ? callerOf(account) : undefined
}
