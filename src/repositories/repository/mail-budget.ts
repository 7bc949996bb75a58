import { spendUpTo } from '../../identity/auth/budgets.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { repositoriesById } from './load.ts'

/** Times what one repository may cause. */
const OF_AN_OWNER = 4

/**
 * The mails that a repository and its owner may still cause in this hour. People who are mentioned
 * or asked for something come first; everybody else still finds the notification on their page.
 */
export async function withinMailBudget<M extends { readonly isMentioned: boolean }>(
  ctx: Context,
  tx: Executor,
  repositoryId: number,
  mails: readonly M[],
): Promise<readonly M[]> {
  const { max_per_repository: allowed } = ctx.config.mail
  if (allowed === 0 || mails.length === 0) return mails
  const ownerId = (await repositoriesById(tx, [repositoryId])).get(repositoryId)?.ownerId
  const subjects = [
    { subject: `mails repository ${repositoryId}`, allowed },
    { subject: `mails owner ${ownerId}`, allowed: allowed * OF_AN_OWNER },
  ]
  let left = mails.length
  for (const subject of subjects) left = await spendUpTo(ctx, tx, subject, left)
  if (left === mails.length) return mails
  ctx.log.warn(
    { repository: repositoryId, mails: mails.length, sent: left },
    'more mails than mail.max_per_repository allows: the rest are not sent',
  )
  return mails.toSorted((a, b) => Number(b.isMentioned) - Number(a.isMentioned)).slice(0, left)
}
