import type { Caller } from '../../platform/context.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import { avatar } from '../avatar.ts'
import { html, type Html } from '../../platform/html.ts'
import { signInPath } from '../sign-in-path.ts'
import type { Visit } from '../repository/visit.ts'
import { renderEditor } from './editor.ts'
import { mayAttachToReply } from './files-path.ts'
import { formPath } from './paths.ts'
import type { Rejected } from './rejected.ts'
import { renderChoice } from './upload-form.ts'

/** Where one answers, as far as the viewer may. */
export function renderReply(
  visit: Visit,
  shown: Pick<IssueView, 'issue' | 'pull'>,
  rejected: Rejected<string> | undefined,
): Html {
  const { issue } = shown
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
${renderForm(visit, shown, rejected?.form === 'reply' ? rejected : undefined)}
</section>`
}

function renderForm(
  visit: Visit,
  { issue, pull }: Pick<IssueView, 'issue' | 'pull'>,
  before: Rejected<string> | undefined,
): Html {
  const isOver = pull?.isMerged ?? false
  const kind = issue.isPull ? 'pull request' : 'issue'
  const [turn, label] = issue.isClosed ? ['reopen', `Reopen ${kind}`] : ['close', `Close ${kind}`]
  return renderEditor(visit, {
    id: 'body',
    label: 'Write a comment',
    text: before?.text ?? '',
    problem: before?.problem,
    placeholder: 'Add your comment…',
    action: formPath(visit, issue, 'comments'),
    files: mayAttachToReply(visit, issue) && renderChoice(visit.ctx),
    buttons: html`${!isOver && mayTurn(visit, issue) && html`<button class="button" name="action" value="${turn}">${label}</button>`}<button class="button main" name="action" value="comment">Comment</button>`,
  })
}

/** The author and those who write issues. */
export function mayTurn({ viewer, view }: Visit, issue: Issue): boolean {
  return isAuthor(viewer, issue) || writesIssue(view, issue)
}

function isAuthor({ account }: Caller, { authorId }: Issue): boolean {
  return account !== undefined && account.id === authorId
}
