import type { Answers } from '../../collaboration/issue-templates/compose.ts'
import type { ContactLink, IssueConfig } from '../../collaboration/issue-templates/config.ts'
import type { RefusedFile } from '../../collaboration/issue-templates/find.ts'
import type { IssueTemplate } from '../../collaboration/issue-templates/template.ts'
import { FormFields, formOfValues } from '../forms/fields.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { siteUrl } from '../outside-link.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderTextField } from './editor.ts'
import { mayAttachToNew } from './files-path.ts'
import { renderNewFacts, type NewFacts } from './new-facts.ts'
import { renderFields } from './template-fields.ts'
import { renderChoice } from './upload-form.ts'

/** In place of a template, for an issue without one. */
export const BLANK = '_blank'

export function renderChoices(
  visit: Visit,
  templates: readonly IssueTemplate[],
  { blankIssues, contactLinks }: IssueConfig,
): Html {
  const path = pathTo(visit, 'issues/new')
  const choice = (name: string, about: string, value: string) =>
    html`<li><div><b>${name}</b><p class="mute">${about}</p></div><a class="button" href="${path}?template=${encodeURIComponent(value)}">Begin<span class="unseen"> ${name}</span></a></li>`
  return html`
<h2>New issue</h2>
<ul class="template-choices plain sheet">
${templates.map(({ name, about, path: value }) => choice(name, about, value))}
${contactLinks.map(renderContact)}
${blankIssues && choice('Something else', 'An empty page.', BLANK)}
</ul>`
}

function renderContact({ name, about, url }: ContactLink): Html {
  const site = siteUrl(url)
  return html`<li><div><b>${name}</b><p class="mute">${about}</p></div>${site && html`<a class="button" href="${site.href}" rel="nofollow noopener">Open<span class="unseen"> ${name}</span></a>`}</li>`
}

/** For who can write the files: which of them are not offered, and why. */
export function renderRefused(refused: readonly RefusedFile[] = []): Part {
  if (refused.length === 0) return undefined
  return html`
<section class="sheet problem" role="status">
<p>These files are not used:</p>
<ul>${refused.map(({ path, problem }) => html`<li><code>${path}</code>: ${problem}</li>`)}</ul>
</section>`
}

export interface NewIssueState {
  readonly template: IssueTemplate | undefined
  readonly title: string
  readonly body: string
  readonly answers?: Answers
  readonly facts: NewFacts
  readonly problem?: { readonly id: string; readonly message: string }
  /** What is wrong with the files. */
  readonly filesProblem?: string | undefined
  /** Templates that cannot be used. */
  readonly refused?: readonly RefusedFile[]
}

export async function renderNewIssue(visit: Visit, state: NewIssueState): Promise<Html> {
  const { template, title, body, answers = () => [], facts, problem, filesProblem } = state
  const fields = template?.fields
  const takesFiles = mayAttachToNew(visit)
  const own = new FormFields({
    form: formOfValues({ title }),
    problem: problem && { field: problem.id, message: problem.message },
  })
  return html`
<h2>${template ? template.name : 'New issue'}</h2>
<form class="new-issue form" method="post"${takesFiles && html` enctype="multipart/form-data"`} action="${pathTo(visit, 'issues/new')}">
${template && html`<input type="hidden" name="template" value="${template.path}">`}
${own.text('title', 'Title')}
${fields ? await renderFields(fields, answers, problem) : renderBody(visit, body)}
${filesProblem && html`<p class="problem" role="alert">${filesProblem}</p>`}
${takesFiles && renderChoice(visit.ctx)}
${await renderNewFacts(visit, facts)}
<button class="button main" type="submit">Create issue</button>
</form>`
}

/** The description of something new. */
export function renderBody(visit: Visit, text: string): Html {
  return html`
<div class="field">
<label for="body">Description</label>
${renderTextField(visit, { id: 'body', rows: 14, text, describedBy: 'body-hint' })}
<span class="hint" id="body-hint">Markdown.</span>
</div>`
}
