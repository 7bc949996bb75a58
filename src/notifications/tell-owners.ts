import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { wantsMail } from '../users/mail-news.ts'
import { insertRepositoryNews, type RepositoryNews } from './repository-queries.ts'

interface OwnersNews {
  readonly kind: RepositoryNews
  readonly repositoryId: number
  /** A person, or an organization whose owners are told. */
  readonly accountId: number
  readonly actorId: number
}

/** By a notification and a mail; in the transaction of what they are told. Wake the queue after it. */
export async function tellOwners(ctx: Context, tx: Executor, news: OwnersNews): Promise<void> {
  const told = await insertRepositoryNews(tx, { ...news, now: ctx.now() })
  if (!ctx.mailer.isSetUp) return
  const { kind, repositoryId, actorId } = news
  const mails = told
    .filter(({ mailNews }) => wantsMail(mailNews, true))
    .map(({ accountId }) => ({ kind, repositoryId, actorId, accountId, isMentioned: true }))
  await ctx.jobs.enqueueAll(tx, 'mail_repository_news', mails)
}
