import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { issuesById } from '../../collaboration/issues/load.ts'
import { findMentioned } from '../../collaboration/issues/mentions.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { wantsMail } from '../../identity/users/mail-news.ts'
import { withinMailBudget } from '../../repositories/repository/mail-budget.ts'
import { deleteBeyond, insertNews, type Told } from './recipients-queries.ts'
import { findSaid } from './said.ts'

/** The job: told twice, it is told once. Of an issue that is gone there is nothing to tell. */
export async function notifyOfIssue(
  ctx: Context,
  news: Jobs['notify_of_issue'],
  run: JobRun,
): Promise<void> {
  const { issueId, actorId, only } = news
  const issue = (await issuesById(ctx.db, [issueId])).get(issueId)
  if (!issue) return
  const { repositoryId } = issue
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    const told = await insertNews(tx, { issueId, repositoryId, actorId, now, only })
    if (ctx.mailer.isSetUp) await mailThem(ctx, tx, news, issue, told)
    await run.finish(tx)
  })
  await deleteBeyond(ctx.db, { issueId, now }, ctx.config.notifications.max_kept)
  ctx.jobs.wake()
}

/** To each a mail of their own, made and looked over when its turn comes. */
async function mailThem(
  ctx: Context,
  tx: Executor,
  { issueId, actorId, commentId, only }: Jobs['notify_of_issue'],
  issue: Issue,
  told: readonly Told[],
): Promise<void> {
  const said = await findSaid(tx, issue, commentId)
  if (!said) return
  const mentioned = new Set(await findMentioned(tx, said.text))
  const mails = told.map(({ accountId, mailNews }) => ({
    mailNews,
    mail: {
      accountId,
      issueId,
      actorId,
      commentId,
      isMentioned: only !== undefined || mentioned.has(accountId),
    },
  }))
  const wanted = mails
    .filter(({ mailNews, mail }) => wantsMail(mailNews, mail.isMentioned))
    .map(({ mail }) => mail)
  const allowed = await withinMailBudget(ctx, tx, issue.repositoryId, wanted)
  await ctx.jobs.enqueueAll(tx, 'mail_issue_news', allowed)
}
