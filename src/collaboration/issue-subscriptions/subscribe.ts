import type { Context } from '../../platform/context.ts'
import type { Issue } from '../issues/issue.ts'
import { findSubscription, isConcerned, upsertSubscription } from './queries.ts'

/** What they said counts; who said nothing hears of it when it concerns them. */
export async function isSubscribed(
  ctx: Context,
  issue: Issue,
  accountId: number,
): Promise<boolean> {
  const said = await findSubscription(ctx.db, issue.id, accountId)
  return said ?? isConcerned(ctx.db, issue, accountId)
}

/** False when it is so already. */
export async function setSubscribed(
  ctx: Context,
  issue: Issue,
  accountId: number,
  wanted: boolean,
): Promise<boolean> {
  if ((await isSubscribed(ctx, issue, accountId)) === wanted) return false
  return upsertSubscription(ctx.db, {
    issue_id: issue.id,
    account_id: accountId,
    is_subscribed: wanted ? 1 : 0,
    created_at: ctx.now(),
  })
}
