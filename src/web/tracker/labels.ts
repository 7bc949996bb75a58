import { AppError } from '../../errors.ts'
import { bind } from '../../http/binding.ts'
import type { Label } from '../../labels/label.ts'
import {
  createLabel,
  editLabel,
  labelsToChoose,
  listLabels,
  loadLabel,
  removeLabel,
} from '../../labels/labels.ts'
import { readLabelEdit, readNewLabel } from '../../labels/present.ts'
import { CreateLabelOption } from '../../labels/schema.ts'
import { html, type Html, type Part } from '../html.ts'
import { renderLabel } from '../issues/label.ts'
import { renderPager } from '../pages/pager.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { pageOf } from '../repository/page-number.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderRemoval } from './removal.ts'
import { assertReadsTracker, mayPlan } from './rights.ts'
import { renderTrackerSwitch } from './switch.ts'

const PER_PAGE = 50

/** As it is typed: colours as pages have them, with a sign in front. */
interface LabelDraft {
  readonly name: string
  readonly color: string
  readonly description: string
  readonly exclusive: boolean
  readonly is_archived: boolean
}

const blank: LabelDraft = {
  name: '',
  color: '#2f74d0',
  description: '',
  exclusive: false,
  is_archived: false,
}

/** A form that came back: of a label, or of a new one. */
interface Returned {
  readonly id: number | undefined
  readonly draft?: LabelDraft
  readonly problem?: string
  readonly mistyped?: string
}

export async function showLabels(visit: Visit, returned?: Returned): Promise<InShell> {
  assertReadsTracker(visit)
  const { ctx, view, query, request } = visit
  const page = pageOf(query, PER_PAGE)
  const found = await listLabels(ctx, { repositoryId: view.repo.id }, 'name', page)
  const shared = (await labelsToChoose(ctx, view)).filter((label) => label.isOfOrganization)
  return {
    tab: 'issues',
    title: 'Labels',
    content: html`${renderTrackerSwitch(visit, 'labels')}
${mayPlan(visit) && renderNew(visit, returned?.id === undefined ? returned : undefined)}
${
  found.total === 0
    ? html`<section class="sheet empty"><h2>There are no labels yet</h2><p class="mute">Labels say of issues and pull requests what they are about.</p></section>`
    : html`<section class="sheet"><ul class="entries">${found.items.map((label) => renderItem(visit, label, returned?.id === label.id ? returned : undefined))}</ul></section>`
}
${renderPager(ctx.config, request, page, found.total)}
${shared.length > 0 && html`<h2>Of the organization</h2><section class="sheet"><ul class="entries">${shared.map((label) => renderShared(visit, label))}</ul></section>`}`,
  }
}

function renderNew(visit: Visit, returned: Returned | undefined): Html {
  return html`<details class="sheet opened-form"${returned && html` open`}><summary>New label</summary>
${renderForm(pathTo(visit, 'labels/new'), 'new', returned?.draft ?? blank, returned?.problem)}
</details>`
}

function renderItem(visit: Visit, label: Label, returned: Returned | undefined): Html {
  return html`<li><div class="about">${nameLink(visit, label)}
${label.isArchived && html`<span class="tag">Archived</span>`}
<p class="mute">${label.description}</p>
${mayPlan(visit) && renderForms(visit, label, returned)}</div></li>`
}

function renderShared(visit: Visit, label: Label): Html {
  return html`<li><div class="about">${nameLink(visit, label)}<p class="mute">${label.description}</p></div></li>`
}

function nameLink(visit: Visit, label: Label): Html {
  const query = new URLSearchParams({ labels: label.name })
  return html`<a href="${pathTo(visit, 'issues')}?${query.toString()}">${renderLabel(label)}</a>`
}

function renderForms(visit: Visit, label: Label, returned: Returned | undefined): Part {
  const { id, name, color, description } = label
  const draft = returned?.draft ?? {
    name,
    color: `#${color}`,
    description,
    exclusive: label.isExclusive,
    is_archived: label.isArchived,
  }
  const path = pathTo(visit, 'labels', String(id))
  return html`<div class="ref-forms">
<details${returned?.draft && html` open`}><summary>Edit<span class="unseen"> ${name}</span></summary>${renderForm(`${path}/edit`, String(id), draft, returned?.problem)}</details>
${renderRemoval({ action: `${path}/delete`, name, warning: 'Issues lose it.', mistyped: returned?.mistyped })}
</div>`
}

/** Many of them stand on one page: their fields are told apart by `key`. */
function renderForm(
  action: string,
  key: string,
  draft: LabelDraft,
  problem: string | undefined,
): Html {
  return html`<form class="form label-form" method="post" action="${action}">
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<p class="field"><label for="name-${key}">Name</label><input id="name-${key}" name="name" value="${draft.name}" required maxlength="255" autocomplete="off"${problem !== undefined && html` aria-invalid="true"`}></p>
<p class="field"><label for="color-${key}">Colour</label><input id="color-${key}" name="color" type="color" value="${draft.color}"></p>
<p class="field"><label for="description-${key}">Description</label><input id="description-${key}" name="description" value="${draft.description}" autocomplete="off"></p>
<p class="check"><input type="checkbox" id="exclusive-${key}" name="exclusive" value="true" aria-describedby="exclusive-hint-${key}"${draft.exclusive && html` checked`}><label for="exclusive-${key}">Exclusive</label><span class="hint" id="exclusive-hint-${key}">Of labels whose names share what stands before the last slash, an issue has one.</span></p>
<p class="check"><input type="checkbox" id="archived-${key}" name="is_archived" value="true"${draft.is_archived && html` checked`}><label for="archived-${key}">Archived: not offered any more</label></p>
<button class="button main">Save label</button>
</form>`
}

export async function takeNewLabel(submitted: Submitted): Promise<Done> {
  const { ctx, view } = submitted
  return attempt(submitted, undefined, async (draft) => {
    const wanted = readNewLabel(bind(CreateLabelOption, draft))
    await createLabel(ctx, { repositoryId: view.repo.id }, wanted)
  })
}

export async function takeLabelEdit(submitted: Submitted): Promise<Done> {
  const { ctx } = submitted
  const label = await loadOfPath(submitted)
  return attempt(submitted, label.id, async (draft) => {
    // A page has all fields: none may be missing, as for a new one.
    await editLabel(ctx, label, readLabelEdit(bind(CreateLabelOption, draft)))
  })
}

export async function takeLabelDelete(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  const { id, name } = await loadOfPath(submitted)
  const typed = (form.get('confirm') ?? '').trim()
  if (typed !== name.trim()) return showLabels(submitted, { id, mistyped: typed })
  await removeLabel(ctx, { repositoryId: view.repo.id }, id)
  return { leadsTo: pathTo(submitted, 'labels') }
}

async function loadOfPath({ ctx, view, param }: Submitted): Promise<Label> {
  const id = /^\d+$/.test(param('id')) ? param('id') : '0'
  return loadLabel(ctx, { repositoryId: view.repo.id }, id)
}

async function attempt(
  submitted: Submitted,
  id: number | undefined,
  save: (draft: LabelDraft) => Promise<void>,
): Promise<Done> {
  const draft = readDraft(submitted.form)
  try {
    await save(draft)
    return { leadsTo: pathTo(submitted, 'labels') }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    return showLabels(submitted, { id, draft, problem: wordsFor(error) })
  }
}

function readDraft(form: URLSearchParams): LabelDraft {
  return {
    name: (form.get('name') ?? '').trim(),
    color: form.get('color') ?? '',
    description: (form.get('description') ?? '').trim(),
    exclusive: form.has('exclusive'),
    is_archived: form.has('is_archived'),
  }
}

function wordsFor({ broken, message }: AppError): string {
  const { field, rule } = broken ?? {}
  if (field === 'Name' && rule === 'Required') return 'Give it a name.'
  if (field === 'Name' && rule === 'MaxSize') return 'The name is too long.'
  if (field === 'Color' && rule === 'Required') return 'Give it a colour.'
  return message
}
