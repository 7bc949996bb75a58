import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import type { PartOfRepositories, TransferOffer } from '../../repositories/repository/part.ts'
import { wantsMail } from '../../identity/users/mail-news.ts'
import {
  deleteForkNews,
  insertForkNews,
  insertOfferNews,
  type RepositoryNews,
  type ToldOf,
} from './repository-queries.ts'

/**
 * By a notification and a mail, in the transaction of what is told; wake the queue after it. The
 * recipient is a person, or an organization whose owners are told.
 */
async function tellOfOffer(
  ctx: Context,
  tx: Executor,
  actorId: number,
  offer: TransferOffer,
): Promise<void> {
  const told = await insertOfferNews(tx, offer, { actorId, now: ctx.now() })
  await mailThem(ctx, tx, { kind: 'offer', actorId }, told)
}

/** Like `tellOfOffer`, those who own forks that were made private. */
async function tellOfHiddenForks(
  ctx: Context,
  tx: Executor,
  actorId: number,
  forkIds: readonly number[],
): Promise<void> {
  for (const some of partsOf(forkIds)) {
    const told = await insertForkNews(tx, some, { actorId, now: ctx.now() })
    await mailThem(ctx, tx, { kind: 'fork', actorId }, told)
  }
}

/** What was told of forks that were private is over. */
async function forgetHiddenForks(tx: Executor, forkIds: readonly number[]): Promise<void> {
  for (const some of partsOf(forkIds)) await deleteForkNews(tx, some)
}

export const newsOfRepositories: PartOfRepositories = {
  onOffer: tellOfOffer,
  onForksFollowing: (ctx, tx, { actorId, forkIds, isPrivate }) =>
    isPrivate ? tellOfHiddenForks(ctx, tx, actorId, forkIds) : forgetHiddenForks(tx, forkIds),
}

async function mailThem(
  ctx: Context,
  tx: Executor,
  news: { readonly kind: RepositoryNews; readonly actorId: number },
  told: readonly ToldOf[],
): Promise<void> {
  if (!ctx.mailer.isSetUp) return
  const mails = told
    .filter(({ mailNews }) => wantsMail(mailNews, true))
    .map(({ accountId, repositoryId }) => ({ ...news, accountId, repositoryId, isMentioned: true }))
  await ctx.jobs.enqueueAll(tx, 'mail_repository_news', mails)
}
