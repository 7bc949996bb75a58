import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { BUDGET_SECONDS, tooMany } from './sign-in-limits.ts'
import { countFailure } from './queries.ts'

export type Budget = 'creations' | 'forks' | 'stars'

/**
 * Takes one from what an account may do in an hour, also when nothing comes of it; shared by all
 * nodes.
 */
export async function spend(
  { config, db, secrets, now }: Context,
  caller: SignedInCaller,
  budget: Budget,
): Promise<void> {
  const allowed = config.budgets[budget]
  if (allowed === 0 || isSiteAdmin(caller)) return
  const subject = secrets.hash('budget', `${budget} ${caller.account.id}`)
  const spent = await countFailure(db, subject, now(), BUDGET_SECONDS)
  if (spent.failures > allowed) throw tooMany(spent.window_start + BUDGET_SECONDS - now())
}

/**
 * How many of the wanted things still fit into what this subject may cause in an hour. What does
 * not fit is counted, too.
 */
export async function spendUpTo(
  { secrets, now }: Context,
  tx: Executor,
  { subject, allowed }: { readonly subject: string; readonly allowed: number },
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0
  const hash = secrets.hash('budget', subject)
  const spent = await countFailure(tx, hash, now(), BUDGET_SECONDS, wanted)
  return Math.min(wanted, Math.max(0, allowed - (spent.failures - wanted)))
}
