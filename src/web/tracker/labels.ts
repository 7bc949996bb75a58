import { bind } from '../../platform/http/binding.ts'
import type { Label } from '../../repositories/labels/label.ts'
import {
  createLabel,
  editLabel,
  labelsToChoose,
  listLabels,
  loadLabel,
  removeLabel,
} from '../../repositories/labels/labels.ts'
import { readLabelEdit, readNewLabel } from '../../repositories/labels/present.ts'
import { CreateLabelOption } from '../../repositories/labels/schema.ts'
import { html, type Html } from '../../platform/html.ts'
import { renderLabel } from '../issues/label.ts'
import { renderPager } from '../pages/pager.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { pageOf } from '../repository/page-number.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import {
  labelProblem,
  readDraft,
  renderLabelForms,
  renderNewLabel,
  type LabelDraft,
  type ReturnedLabel,
} from './label-form.ts'
import { assertReadsTracker, mayPlan } from './rights.ts'
import { renderTrackerSwitch } from './switch.ts'

const PER_PAGE = 50

export async function showLabels(visit: Visit, returned?: ReturnedLabel): Promise<InShell> {
  assertReadsTracker(visit)
  const { ctx, view, query, request } = visit
  const page = pageOf(query, PER_PAGE)
  const found = await listLabels(ctx, { repositoryId: view.repo.id }, 'name', page)
  const shared = (await labelsToChoose(ctx, view)).filter((label) => label.isOfOrganization)
  return {
    tab: 'issues',
    title: 'Labels',
    content: html`${renderTrackerSwitch(visit, 'labels')}
${mayPlan(visit) && renderNewLabel(pathTo(visit, 'labels/new'), returned?.id === undefined ? returned : undefined)}
${
  found.total === 0
    ? html`<section class="sheet empty"><h2>There are no labels yet</h2><p class="mute">Labels say of issues and pull requests what they are about.</p></section>`
    : html`<section class="sheet"><ul class="entries">${found.items.map((label) => renderItem(visit, label, returned?.id === label.id ? returned : undefined))}</ul></section>`
}
${renderPager(ctx.config, request, page, found.total)}
${shared.length > 0 && html`<h2>Of the organization</h2><section class="sheet"><ul class="entries">${shared.map((label) => renderShared(visit, label))}</ul></section>`}`,
  }
}

function renderItem(visit: Visit, label: Label, returned: ReturnedLabel | undefined): Html {
  return html`<li><div class="about">${nameLink(visit, label)}
${label.isArchived && html`<span class="tag">Archived</span>`}
<p class="mute">${label.description}</p>
${mayPlan(visit) && renderLabelForms(pathTo(visit, 'labels', String(label.id)), label, returned)}</div></li>`
}

function renderShared(visit: Visit, label: Label): Html {
  return html`<li><div class="about">${nameLink(visit, label)}<p class="mute">${label.description}</p></div></li>`
}

function nameLink(visit: Visit, label: Label): Html {
  const query = new URLSearchParams({ labels: label.name })
  return html`<a href="${pathTo(visit, 'issues')}?${query.toString()}">${renderLabel(label)}</a>`
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
    return showLabels(submitted, { id, draft, problem: labelProblem(error) })
  }
}
