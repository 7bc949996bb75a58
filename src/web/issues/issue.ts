import type { Comment } from '../../comments/comment.ts'
import { listComments } from '../../comments/load.ts'
import type { CommentView } from '../../comments/view.ts'
import { readPage } from '../../http/paging.ts'
import { readInteger } from '../../http/query.ts'
import { loadIssue } from '../../issues/load.ts'
import { viewIssue, type IssueView } from '../../issues/view.ts'
import { counted, timeAgo } from '../figures.ts'
import { html, type Html } from '../html.ts'
import { icon } from '../icons.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import type { InShell } from '../repository/shell.ts'
import type { Visit } from '../repository/visit.ts'
import { renderSaid } from './comment.ts'
import { renderIssueFacts } from './facts.ts'
import { renderReply, type ReplyState } from './reply.ts'

const COMMENTS_PER_PAGE = 100

/** The last page, unless another is asked for: what is new is there. */
export async function showIssue(visit: Visit, state: ReplyState = {}): Promise<InShell> {
  const { ctx, view, param, query, request } = visit
  const issue = await loadIssue(ctx, view, readInteger(param('index')))
  const shown = await viewIssue(ctx.db, issue)
  const comments = await listComments(ctx, issue, {})
  const last = Math.max(1, Math.ceil(comments.length / COMMENTS_PER_PAGE))
  const asked = readPage(ctx.config, query).number
  const number = query.text('page') === undefined ? last : Math.min(asked, last)
  const offset = (number - 1) * COMMENTS_PER_PAGE
  const page = { number, limit: COMMENTS_PER_PAGE, offset }
  const said = await renderComments(visit, comments.slice(offset, offset + COMMENTS_PER_PAGE))
  return {
    tab: 'issues',
    title: `${issue.title} #${issue.number}`,
    content: html`
${renderIssueHead(visit, shown)}
<div class="split">
<div>
${await renderFirst(visit, shown)}
${said}
${renderPager(ctx.config, request, page, comments.length)}
${renderReply(visit, issue, state)}
</div>
${renderIssueFacts(visit, shown)}
</div>`,
  }
}

function renderIssueHead({ ctx }: Visit, { issue, author }: IssueView): Html {
  const name = issue.isClosed ? 'Closed' : 'Open'
  return html`
<div class="title"><h2>${issue.title} <span>#${issue.number}</span></h2></div>
<div class="row"><span class="state ${name.toLowerCase()}">${icon(issue.isClosed ? 'check' : 'issue')} ${name}</span>
<span class="mute">${personLink(ctx.config, author)} opened this ${timeAgo(ctx.now(), issue.createdAt)} · ${counted(issue.commentsCount, 'comment')}</span></div>`
}

async function renderFirst({ ctx }: Visit, { issue, author, assets }: IssueView): Promise<Html> {
  const { body, createdAt, id } = issue
  return renderSaid(ctx, { id: `issue-${id}`, author, body, createdAt, assets })
}

async function renderComments(
  { ctx }: Visit,
  comments: readonly CommentView[],
): Promise<readonly Html[]> {
  return Promise.all(
    comments.map(({ comment, author, assets }) =>
      renderSaid(ctx, { ...comment, id: anchorOf(comment), author, assets }),
    ),
  )
}

/** As the addresses that the API gives of comments have it. */
export function anchorOf({ id }: Pick<Comment, 'id'>): string {
  return `issuecomment-${id}`
}
