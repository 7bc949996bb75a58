import { readInteger } from '../../platform/http/query.ts'
import { loadIssue } from '../../collaboration/issues/load.ts'
import { viewIssue, type IssueView } from '../../collaboration/issues/view.ts'
import { counted, timeAgo } from '../figures.ts'
import { html, type Html } from '../../platform/html.ts'
import { markSeen } from '../notifications/seen.ts'
import { personLink } from '../person.ts'
import type { InShell } from '../repository/shell.ts'
import type { Shown, Visit } from '../repository/visit.ts'
import { renderConversation } from './conversation.ts'
import { renderTitle } from './editing.ts'
import { renderIssueFacts } from './facts.ts'
import { issuePath } from './paths.ts'
import type { Rejected } from './rejected.ts'
import { renderReply } from './reply.ts'
import { renderState } from './state.ts'

/** Pull requests have a page of their own. */
export async function showIssue(visit: Visit): Promise<Shown> {
  const { ctx, view, param } = visit
  const issue = await loadIssue(ctx, view, readInteger(param('index')))
  if (issue.isPull) return { leadsTo: issuePath(visit, issue) }
  await markSeen(visit, issue)
  await ctx.downloadCounts.flush()
  return renderIssue(visit, await viewIssue(ctx.db, issue))
}

export async function renderIssue(
  visit: Visit,
  shown: IssueView,
  rejected?: Rejected<string>,
): Promise<InShell> {
  const { issue } = shown
  return {
    tab: 'issues',
    title: `${issue.title} #${issue.number}`,
    content: html`
${renderTitle(visit, issue, rejected)}
${renderHead(visit, shown)}
<div class="split">
<div>
${await renderConversation(visit, shown, rejected)}
${renderReply(visit, shown, rejected)}
</div>
${await renderIssueFacts(visit, shown, rejected)}
</div>`,
  }
}

function renderHead({ ctx }: Visit, shown: IssueView): Html {
  const { issue, author } = shown
  return html`
<div class="row">${renderState(shown)}
<span class="mute">${personLink(ctx.config, author)} opened this ${timeAgo(ctx.now(), issue.createdAt)} · ${counted(issue.commentsCount, 'comment')}</span></div>`
}
