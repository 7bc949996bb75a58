import type { Context } from '../../platform/context.ts'
import { findMentioned } from '../../collaboration/issues/mentions.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { withinMailBudget } from '../../repositories/repository/mail-budget.ts'
import { wantsMail } from '../../identity/users/mail-news.ts'
import { findRelease } from './queries.ts'
import { findWatchersToMail } from './watcher-queries.ts'

/** The job: those who watch the repository are mailed of a release, each when its turn comes. */
export async function tellOfRelease(
  ctx: Context,
  { releaseId, repositoryId, actorId }: Jobs['tell_of_release'],
  run: JobRun,
): Promise<void> {
  const release = await findRelease(ctx.db, repositoryId, releaseId)
  if (!release) return
  await ctx.db.transaction().execute(async (tx) => {
    const mentioned = new Set(await findMentioned(tx, release.note))
    const watchers = await findWatchersToMail(tx, repositoryId, actorId)
    const wanting = watchers.filter(({ accountId, mailNews }) =>
      wantsMail(mailNews, mentioned.has(accountId)),
    )
    const mails = wanting.map(({ accountId }) => {
      const isMentioned = mentioned.has(accountId)
      return { accountId, releaseId, repositoryId, actorId, isMentioned }
    })
    const allowed = await withinMailBudget(ctx, tx, repositoryId, mails)
    await ctx.jobs.enqueueAll(tx, 'mail_release', allowed)
    await run.finish(tx)
  })
  ctx.jobs.wake()
}
