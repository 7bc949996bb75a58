import { assigneesToChoose } from '../../repositories/collaborators/candidates.ts'
import { readInteger } from '../../platform/http/query.ts'
import { usableLabels } from '../../collaboration/issue-labels/load.ts'
import type { IssueTemplate } from '../../collaboration/issue-templates/template.ts'
import { assignableAmong } from '../../collaboration/issues/assignees.ts'
import type { NewIssue } from '../../collaboration/issues/create.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import { labelsToChoose } from '../../repositories/labels/labels.ts'
import { milestonesToChoose } from '../../collaboration/milestones/milestones.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'
import { renderLabel } from './label.ts'

/** What is said of a new issue beside its text. */
export type NewFacts = Pick<NewIssue, 'labelIds' | 'assignees' | 'milestoneId'>

/** What a template says; nothing is said without one. */
export async function factsOf(
  { ctx, view }: Visit,
  template: IssueTemplate | undefined,
): Promise<NewFacts> {
  const labels = await usableLabels(ctx.db, view, { names: template?.labels ?? [] })
  return {
    labelIds: labels.map(({ id }) => id),
    assignees: await assignableAmong(ctx, view, template?.assignees ?? []),
    milestoneId: 0,
  }
}

/**
 * What was chosen, as far as it is still there to be chosen; what the template says for those who
 * choose nothing.
 */
export async function readFacts(
  visit: Visit,
  form: URLSearchParams,
  template: IssueTemplate | undefined,
): Promise<NewFacts> {
  if (!form.has('facts')) return factsOf(visit, template)
  const { ctx, view } = visit
  const ids = form.getAll('label').map(readInteger)
  const labels = await usableLabels(ctx.db, view, { ids })
  const milestoneId = readInteger(form.get('milestone') ?? '')
  const milestones = milestoneId === 0 ? [] : await milestonesToChoose(ctx, view.repo.id)
  return {
    labelIds: labels.map(({ id }) => id),
    assignees: await assignableAmong(ctx, view, form.getAll('assignee')),
    milestoneId: milestones.some(({ id }) => id === milestoneId) ? milestoneId : 0,
  }
}

/** For those who write issues: nobody else's choice would count. */
export async function renderNewFacts(visit: Visit, chosen: NewFacts): Promise<Part> {
  if (!writesIssue(visit.view, { isPull: false })) return undefined
  return html`<input type="hidden" name="facts" value="chosen">
${await chooseLabels(visit, chosen)}
${await chooseAssignees(visit, chosen)}
${await chooseMilestone(visit, chosen)}`
}

async function chooseLabels({ ctx, view }: Visit, { labelIds }: NewFacts): Promise<Part> {
  const labels = await labelsToChoose(ctx, view)
  const offered = labels.filter(({ id, isArchived }) => !isArchived || labelIds.includes(id))
  const options = offered.map((label) =>
    renderOption('label', label.id, labelIds.includes(label.id), renderLabel(label)),
  )
  return options.length > 0 && renderOptions('Labels', options)
}

async function chooseAssignees({ ctx, view }: Visit, { assignees }: NewFacts): Promise<Html> {
  const offered = (await assigneesToChoose(ctx, view)).map(({ name }) => name)
  const others = assignees.filter((name) => !offered.includes(name))
  const options = [...offered, ...others].map((name) =>
    renderOption('assignee', name, assignees.includes(name), name),
  )
  return renderOptions('Assignees', options)
}

async function chooseMilestone({ ctx, view }: Visit, { milestoneId }: NewFacts): Promise<Part> {
  const offered = await milestonesToChoose(ctx, view.repo.id)
  const options = offered.map(
    ({ id, title }) =>
      html`<option value="${id}"${id === milestoneId && html` selected`}>${title}</option>`,
  )
  if (options.length === 0) return undefined
  return html`<div class="field"><label for="milestone">Milestone</label>
<select id="milestone" name="milestone"><option value="0">None</option>${options}</select></div>`
}

function renderOptions(legend: string, options: readonly Html[]): Html {
  return html`<fieldset class="field options"><legend>${legend}</legend>${options}</fieldset>`
}

function renderOption(name: string, value: string | number, isChosen: boolean, label: Part): Html {
  return html`<label class="option"><input type="checkbox" name="${name}" value="${value}"${isChosen && html` checked`}> ${label}</label>`
}
