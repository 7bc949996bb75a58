import type { Comment } from '../../collaboration/comments/comment.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import { avatar } from '../avatar.ts'
import { renderLossWithin } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'
import type { Talk } from './conversation.ts'
import { renderEditor } from './editor.ts'
import { filesPathOfComment, filesPathOfIssue } from './files-path.ts'
import { anchorOf, formPath, issuePath } from './paths.ts'
import type { FormName, Rejected } from './rejected.ts'
import { renderUpload } from './upload-form.ts'
import { titleText } from './title-text.ts'

/** The author of a text and those who write issues, as long as the repository takes changes. */
export function mayEdit(
  { viewer, view }: Visit,
  issue: Pick<Issue, 'isPull'>,
  { authorId }: { readonly authorId: number | undefined },
): boolean {
  if (!viewer.account || view.repo.isArchived) return false
  return viewer.account.id === authorId || writesIssue(view, issue)
}

/** To the page that is shown, with a text as a form. */
export function editLink({ visit, shown, page }: Talk, form: FormName, anchor: string): Html {
  const path = issuePath(visit, shown.issue)
  return html`<a class="mute" href="${path}?page=${page.number}&amp;edit=${form}#${anchor}">Edit</a>`
}

/** The text of the issue itself, for its author or who else may change it. */
export function renderTextEditor(talk: Talk, id: string): Html {
  const { visit, shown } = talk
  const { issue } = shown
  const filesPath = filesPathOfIssue(visit, issue)
  const kind = issue.isPull ? 'pull request' : 'issue'
  return renderInPlace(talk, id, {
    form: 'text',
    label: 'Description',
    text: issue.body,
    action: formPath(visit, issue, 'text'),
    hidden: html`<input type="hidden" name="content_version" value="${issue.contentVersion}">`,
    foot: filesPath !== undefined && renderUpload(filesPath, kind),
  })
}

export function renderCommentEditor(talk: Talk, comment: Comment): Html {
  const { visit, shown } = talk
  const action = formPath(visit, shown.issue, 'comments', String(comment.id))
  const filesPath = filesPathOfComment(visit, shown.issue, comment)
  return renderInPlace(talk, anchorOf(comment), {
    form: `comment-${comment.id}`,
    label: 'Comment',
    text: comment.body,
    action,
    buttons: renderLossWithin(
      { label: 'Delete comment', warning: 'It goes with its files, for everybody.' },
      'action',
      'delete',
    ),
    foot: filesPath !== undefined && renderUpload(filesPath, 'comment'),
  })
}

interface InPlace {
  readonly form: FormName
  readonly label: string
  readonly text: string
  readonly action: string
  readonly hidden?: Part
  readonly buttons?: Part
  readonly foot?: Part
}

function renderInPlace(
  { visit, shown, page, rejected }: Talk,
  id: string,
  { form, label, text, action, hidden, buttons, foot }: InPlace,
): Html {
  const back = `${issuePath(visit, shown.issue)}?page=${page.number}#${id}`
  const before = rejected?.form === form ? rejected : undefined
  const { account } = visit.viewer
  return html`
<section class="comment" id="${id}">
${account && avatar(visit.ctx.config, account, 40)}
<div>${renderEditor(visit, {
    id: `edit-${form}`,
    label,
    rows: 10,
    text: before?.text ?? text,
    problem: before?.problem,
    action: `${action}?page=${page.number}`,
    hidden,
    buttons: html`${buttons}<a class="button" href="${back}">Cancel</a><button class="button main" name="action" value="save">Save</button>`,
  })}${foot}</div>
</section>`
}

/** The title, and for who may change it a form in its place. */
export function renderTitle(visit: Visit, issue: Issue, rejected?: Rejected<string>): Html {
  const { title, number } = issue
  const before = rejected?.form === 'title' ? rejected : undefined
  const isForm =
    (before !== undefined || visit.query.text('edit') === 'title') && mayEdit(visit, issue, issue)
  if (!isForm) {
    const link =
      mayEdit(visit, issue, issue) &&
      html`<a class="button end" href="${issuePath(visit, issue)}?edit=title">Edit title</a>`
    return html`<div class="title"><h2>${titleText(title)} <span>#${number}</span></h2>${link}</div>`
  }
  return html`
<form class="retitle" method="post" action="${formPath(visit, issue, 'title')}">
<label for="title">Title</label>
<input id="title" name="title" value="${before?.text ?? title}" required autofocus autocomplete="off"${before && html` aria-invalid="true" aria-describedby="title-problem"`}>
<span class="row"><button class="button main">Save</button><a class="button" href="${issuePath(visit, issue)}">Cancel</a></span>
${before && html`<p class="problem" id="title-problem" role="alert">${before.problem}</p>`}
</form>`
}
