import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { issuesById, loadIssueById } from '../../collaboration/issues/load.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { findSaid, type Said } from '../notifications/said.ts'
import { loadVisibleById } from '../../repositories/repository/load.ts'
import { ghost } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import { deliver } from './deliver.ts'
import type { Mail } from './mail.ts'
import { findRecipient } from './recipient.ts'
import { composeNews } from './repository-mail.ts'
import { unlessHidden } from './unless-hidden.ts'

/** What is in somebody's list of news, as a mail: if they may still see it when it is sent. */
export async function mailIssueNews(
  ctx: Context,
  news: Jobs['mail_issue_news'],
  run: JobRun,
): Promise<void> {
  await deliver(ctx, run, () => unlessHidden(() => compose(ctx, news)))
}

async function compose(ctx: Context, news: Jobs['mail_issue_news']): Promise<Mail | undefined> {
  const recipient = await findRecipient(ctx, news)
  const found = (await issuesById(ctx.db, [news.issueId])).get(news.issueId)
  if (!recipient || !found) return undefined
  const view = await loadVisibleById(ctx, recipient.caller, found.repositoryId)
  const issue = await loadIssueById(ctx, view, news.issueId)
  const said = await findSaid(ctx.db, issue, news.commentId)
  if (!said) return undefined
  const actor = (await findById(ctx, news.actorId)) ?? ghost
  const thread = `issue-${issue.id}`
  const page = `${baseUrl(ctx.config)}/${view.owner.name}/${view.repo.name}/${issue.isPull ? 'pulls' : 'issues'}/${issue.number}`
  const isFirst = news.commentId === undefined
  return composeNews(ctx, recipient, view, {
    actorName: actor.name,
    deed: deedOf(issue, said),
    subject: `${issue.title} (#${issue.number})`,
    text: said.text,
    url: isFirst ? page : `${page}#issuecomment-${news.commentId}`,
    id: isFirst ? thread : `${thread}-${news.commentId}`,
    ...(isFirst ? {} : { threadId: thread }),
  })
}

function deedOf(issue: Issue, { kind, reviewState }: Said): string {
  const what = `${issue.isPull ? 'pull request' : 'issue'} #${issue.number}`
  if (kind === 'open') return `opened ${what}`
  if (kind === 'close') return `closed ${what}`
  if (kind === 'reopen') return `reopened ${what}`
  if (kind === 'merge_pull') return `merged ${what}`
  if (kind === 'assignees') return `assigned ${what} to you`
  if (kind === 'review_request') return `asked you to review ${what}`
  if (reviewState === 'APPROVED') return `approved ${what}`
  if (reviewState === 'REQUEST_CHANGES') return `asked for changes of ${what}`
  if (kind === 'review') return `reviewed ${what}`
  return `commented on ${what}`
}
