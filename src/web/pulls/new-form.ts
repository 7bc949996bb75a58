import type { Commit } from '../../platform/git/parse.ts'
import type { Prospect } from '../../collaboration/pulls/prospect.ts'
import { FormFields, formOfValues } from '../forms/fields.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { mayAttachToNew } from '../issues/files-path.ts'
import { renderBody } from '../issues/new-page.ts'
import { issuePath } from '../issues/paths.ts'
import { signInPath } from '../sign-in-path.ts'
import { subjectOf } from '../repository/commit-line.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderChoice } from '../issues/upload-form.ts'
import { titleText } from '../issues/title-text.ts'

export interface NewPullState {
  readonly title: string
  readonly body: string
  readonly allowsEdit: boolean
  readonly problem?: string
  /** What is wrong with the files. */
  readonly filesProblem?: string | undefined
}

/** Where a pull request is opened from what two branches differ in, by whoever may. */
export function renderNewPull(
  visit: Visit,
  prospect: Prospect,
  text: string,
  state: NewPullState,
): Part {
  const { ctx, viewer, view, request } = visit
  const { open } = prospect
  if (open) {
    return html`<p class="sheet notice">There is a pull request for this already: <a href="${issuePath(visit, open)}">${titleText(open.title)} #${open.number}</a></p>`
  }
  if (view.repo.isArchived) return undefined
  if (!viewer.account) {
    return html`<p class="sheet notice"><a href="${signInPath(ctx, request)}">Sign in</a> to open a pull request.</p>`
  }
  return html`
<details class="new-pull"${(state.problem || state.filesProblem || visit.query.boolean('expand')) && html` open`}>
<summary class="button main">New pull request</summary>
${renderForm(visit, prospect, text, state)}
</details>`
}

function renderForm(visit: Visit, prospect: Prospect, text: string, state: NewPullState): Html {
  const { title, body, allowsEdit, problem, filesProblem } = state
  const takesFiles = mayAttachToNew(visit)
  const fields = new FormFields({
    form: formOfValues({ title }),
    problem: problem === undefined ? undefined : { field: 'title', message: problem },
  })
  const isFork = prospect.head.repo.id !== visit.view.repo.id
  return html`
<form class="form" method="post"${takesFiles && html` enctype="multipart/form-data"`} action="${pathTo(visit, 'compare', text)}">
${fields.text('title', 'Title')}
${renderBody(visit, body)}
${filesProblem && html`<p class="problem" role="alert">${filesProblem}</p>`}
${takesFiles && renderChoice(visit.ctx)}
${isFork && html`<p><label class="option"><input type="checkbox" name="allow_edit" value="true"${allowsEdit && html` checked`}> Those who write to ${visit.view.repo.name} may push to the branch, too</label></p>`}
<p><button class="button main">Open pull request</button></p>
</form>`
}

/** A single commit says what it is about. */
export function suggestedBy(
  commits: readonly Commit[],
  branch: string,
): Omit<NewPullState, 'allowsEdit'> {
  const [only, ...more] = commits
  if (!only || more.length > 0) return { title: branch.replaceAll(/[-_/]+/g, ' '), body: '' }
  const body = only.message.trim().split('\n').slice(1).join('\n').trim()
  return { title: subjectOf(only), body }
}
