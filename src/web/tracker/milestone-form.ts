import type { Milestone } from '../../collaboration/milestones/milestone.ts'
import {
  createMilestone,
  editMilestone,
  removeMilestone,
  type NewMilestone,
} from '../../collaboration/milestones/milestones.ts'
import { endOfDay, formatTime } from '../../platform/time.ts'
import { FormFields, formOfValues, typedText } from '../forms/fields.ts'
import type { FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Show, type Visit } from '../repository/visit.ts'
import { loadById } from './milestones.ts'
import { renderRemoval } from './removal.ts'
import { assertMayPlan } from './rights.ts'
import { renderTrackerSwitch } from './switch.ts'

interface Draft {
  readonly title: string
  readonly description: string
  /** As browsers write a day. */
  readonly due: string
}

interface MilestoneForm {
  readonly draft: Draft
  /** The one that is edited. */
  readonly milestone?: Milestone | undefined
  readonly problem?: FormProblem | undefined
  readonly mistyped?: string
}

export const showNewMilestone: Show = async (visit) => {
  assertMayPlan(visit)
  return inTab(visit, { draft: { title: '', description: '', due: '' } })
}

export const showMilestoneEdit: Show = async (visit) => {
  assertMayPlan(visit)
  const milestone = await loadById(visit)
  return inTab(visit, { draft: draftOf(milestone), milestone })
}

export async function takeNewMilestone(submitted: Submitted): Promise<Done> {
  const { ctx, view } = submitted
  return save(submitted, undefined, (wanted) => createMilestone(ctx, view.repo.id, wanted))
}

export async function takeMilestoneEdit(submitted: Submitted): Promise<Done> {
  const milestone = await loadById(submitted)
  return save(submitted, milestone, ({ title, description, dueAt }) =>
    editMilestone(submitted.ctx, milestone, { title, description, dueAt, isClosed: undefined }),
  )
}

async function save(
  submitted: Submitted,
  milestone: Milestone | undefined,
  write: (wanted: NewMilestone) => Promise<Milestone>,
): Promise<Done> {
  const draft = readDraft(submitted.form)
  const problem = draftProblem(draft)
  if (problem) return inTab(submitted, { draft, milestone, problem })
  const { title, description } = draft
  const { id } = await write({ title, description, isClosed: false, dueAt: dueAtOf(draft) })
  return { leadsTo: pathTo(submitted, 'milestone', String(id)) }
}

export async function takeMilestoneState(submitted: Submitted): Promise<Done> {
  const { ctx, form } = submitted
  const milestone = await loadById(submitted)
  const { dueAt } = milestone
  const isClosed = form.get('action') === 'close'
  await editMilestone(ctx, milestone, { title: undefined, description: undefined, isClosed, dueAt })
  return { leadsTo: pathTo(submitted, 'milestone', String(milestone.id)) }
}

export async function takeMilestoneDelete(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  const milestone = await loadById(submitted)
  const typed = (form.get('confirm') ?? '').trim()
  if (typed !== milestone.title.trim()) {
    return inTab(submitted, { draft: draftOf(milestone), milestone, mistyped: typed })
  }
  await removeMilestone(ctx, view.repo.id, milestone.id)
  return { leadsTo: pathTo(submitted, 'milestones') }
}

function readDraft(form: URLSearchParams): Draft {
  return {
    title: (form.get('title') ?? '').trim(),
    description: typedText(form, 'description'),
    due: (form.get('due') ?? '').trim(),
  }
}

function draftOf({ title, description, dueAt }: Milestone): Draft {
  return { title, description, due: dueAt === 0 ? '' : formatTime(dueAt).slice(0, 10) }
}

function draftProblem(draft: Draft): FormProblem | undefined {
  if (draft.title === '') return { field: 'title', message: 'Give it a title.' }
  if (draft.due !== '' && dueAtOf(draft) === 0) {
    return { field: 'due', message: 'This is no day. Write it as 2030-12-31.' }
  }
  return undefined
}

/** The whole of the day counts. */
function dueAtOf({ due }: Draft): number {
  return due === '' ? 0 : endOfDay(`${due}T00:00:00Z`)
}

function inTab(visit: Visit, form: MilestoneForm): InShell {
  const title = form.milestone ? `Edit ${form.milestone.title}` : 'New milestone'
  return { tab: 'issues', title, content: renderForm(visit, form) }
}

function renderForm(visit: Visit, { draft, milestone, problem, mistyped }: MilestoneForm): Html {
  const path = milestone
    ? pathTo(visit, 'milestones', String(milestone.id))
    : pathTo(visit, 'milestones')
  const fields = new FormFields({ form: formOfValues({ ...draft }), problem })
  const back = milestone ? pathTo(visit, 'milestone', String(milestone.id)) : path
  const warning = 'Its issues stay, without it.'
  return html`${renderTrackerSwitch(visit, 'milestones')}
<h2>${milestone ? 'Edit milestone' : 'New milestone'}</h2>
<form class="form release-form" method="post" action="${path}/${milestone ? 'edit' : 'new'}">
${fields.text('title', 'Title')}
${fields.area('description', 'Description', { rows: 6, holds: 'prose', hint: 'Markdown.' })}
${fields.text('due', 'Due', { type: 'date', optional: true })}
<p class="actions"><button class="button main">Save milestone</button> <a class="button" href="${back}">Cancel</a></p>
</form>
${
  milestone &&
  html`<form class="row" method="post" action="${path}/state"><button class="button" name="action" value="${milestone.isClosed ? 'open' : 'close'}">${milestone.isClosed ? 'Reopen milestone' : 'Close milestone'}</button></form>
<div class="ref-forms">${renderRemoval({ action: `${path}/delete`, name: milestone.title, warning, mistyped })}</div>`
}`
}
