import { isSiteAdmin, type Caller } from '../../context.ts'
import type { Issue } from '../../issues/issue.ts'
import { writesIssue } from '../../issues/rights.ts'
import { reaches } from '../../access-level.ts'
import { avatar } from '../avatar.ts'
import { html, type Html, type Part } from '../html.ts'
import { signInPath } from '../refusal.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

export interface ReplyState {
  /** What was typed before. */
  readonly body?: string
  readonly problem?: string
}

/** Where one answers, as far as the viewer may. */
export function renderReply(visit: Visit, issue: Issue, state: ReplyState): Html {
  const { ctx, viewer, view, request } = visit
  if (view.repo.isArchived) return html``
  if (!viewer.account) {
    return html`<p class="sheet notice"><a href="${signInPath(ctx, request)}">Sign in</a> to write a comment.</p>`
  }
  const isHeld = issue.isLocked && !writesIssue(view, issue)
  if (isHeld) return html`<p class="sheet notice">This conversation is locked.</p>`
  return html`
<section class="comment" id="reply">
${avatar(ctx.config, viewer.account, 40)}
<div>
${renderEditor(visit, issue, state)}
${ctx.config.attachment.enabled && mayAttach(visit, issue) && renderUpload(visit, issue)}
</div>
</section>`
}

function renderEditor(visit: Visit, issue: Issue, { body = '', problem }: ReplyState): Html {
  const turn = issue.isClosed ? 'reopen' : 'close'
  const label = issue.isClosed ? 'Reopen issue' : 'Close issue'
  return html`
<form class="sheet editor" method="post" action="${pathTo(visit, 'issues', String(issue.number), 'comments')}">
<header><label for="body">Write a comment</label><span class="end">Markdown</span></header>
<textarea id="body" name="body" rows="5" placeholder="Add your comment…"${problem && html` aria-invalid="true" aria-describedby="body-problem" autofocus`}>${body}</textarea>
${problem && html`<p class="problem" id="body-problem" role="alert">${problem}</p>`}
<footer>${mayTurn(visit, issue) && html`<button class="button" name="action" value="${turn}">${label}</button>`}<button class="button main" name="action" value="comment">Comment</button></footer>
</form>`
}

/** Without script one file at a time; with it any number, by choosing, dropping or pasting. */
function renderUpload(visit: Visit, issue: Issue): Part {
  return html`
<upload-files>
<form method="post" enctype="multipart/form-data" action="${pathTo(visit, 'issues', String(issue.number), 'attachments')}">
<ul class="attach plain" aria-live="polite"></ul>
<p class="drop"><label>Attach to the issue <input type="file" name="attachment" required></label> <button class="button">Upload</button></p>
</form>
</upload-files>`
}

/** The author and those who write issues. */
function mayTurn({ viewer, view }: Visit, issue: Issue): boolean {
  return isAuthor(viewer, issue) || writesIssue(view, issue)
}

function mayAttach(visit: Visit, issue: Issue): boolean {
  const administers = reaches(visit.view.access.level, 'admin') || isSiteAdmin(visit.viewer)
  return mayTurn(visit, issue) || administers
}

function isAuthor({ account }: Caller, { authorId }: Issue): boolean {
  return account !== undefined && account.id === authorId
}
