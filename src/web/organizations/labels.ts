import { bind } from '../../platform/http/binding.ts'
import type { Label } from '../../repositories/labels/label.ts'
import {
  createLabel,
  editLabel,
  listLabels,
  loadLabel,
  removeLabel,
} from '../../repositories/labels/labels.ts'
import { readLabelEdit, readNewLabel } from '../../repositories/labels/present.ts'
import { CreateLabelOption } from '../../repositories/labels/schema.ts'
import type { Account } from '../../identity/users/account.ts'
import { html, type Html } from '../../platform/html.ts'
import { renderLabel } from '../issues/label.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { pageOf } from '../repository/page-number.ts'
import {
  labelProblem,
  readDraft,
  renderLabelForms,
  renderNewLabel,
  type LabelDraft,
  type ReturnedLabel,
} from '../tracker/label-form.ts'
import { inSection, ownedBy, pathIn, saved } from './section.ts'

const PER_PAGE = 50

/** Labels that all repositories of an organization have. */
export async function showLabels(look: SignedInLook, returned?: ReturnedLabel): Promise<Page> {
  const { ctx, query, request } = look
  const { org } = await ownedBy(look)
  const page = pageOf(query, PER_PAGE)
  const { items, total } = await listLabels(ctx, { orgId: org.id }, 'name', page)
  const item = (label: Label) =>
    renderItem(look, org, label, returned?.id === label.id ? returned : undefined)
  const isNew = returned !== undefined && returned.id === undefined
  const content = html`
<h2>Labels</h2>
<p class="lede">Issues and pull requests of all repositories of the organization can have them.</p>
${renderNewLabel(pathIn(look, org, 'labels', 'new'), isNew ? returned : undefined)}
${total === 0 ? html`<p class="sheet notice mute">There is none.</p>` : html`<section class="sheet"><ul class="entries">${items.map(item)}</ul></section>`}
${renderPager(ctx.config, request, page, total)}`
  return inSection(look, org, 'labels', content)
}

function renderItem(
  look: SignedInLook,
  org: Account,
  label: Label,
  returned: ReturnedLabel | undefined,
): Html {
  return html`<li><div class="about">${renderLabel(label)}
${label.isArchived && html`<span class="tag">Archived</span>`}
<p class="mute">${label.description}</p>
${renderLabelForms(pathIn(look, org, 'labels', String(label.id)), label, returned)}</div></li>`
}

export async function takeNewLabel(submitted: Submitted): Promise<Shown> {
  const { org } = await ownedBy(submitted)
  return attempt(submitted, org, undefined, async (draft) => {
    const wanted = readNewLabel(bind(CreateLabelOption, draft))
    await createLabel(submitted.ctx, { orgId: org.id }, wanted)
  })
}

export async function takeLabelEdit(submitted: Submitted): Promise<Shown> {
  const { org, label } = await loadOfPath(submitted)
  return attempt(submitted, org, label.id, async (draft) => {
    // A page has all fields: none may be missing, as for a new one.
    await editLabel(submitted.ctx, label, readLabelEdit(bind(CreateLabelOption, draft)))
  })
}

export async function takeLabelDelete(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org, label } = await loadOfPath(submitted)
  const typed = (form.get('confirm') ?? '').trim()
  if (typed !== label.name.trim()) {
    return { page: await showLabels(submitted, { id: label.id, mistyped: typed }), status: 422 }
  }
  await removeLabel(ctx, { orgId: org.id }, label.id)
  return saved(submitted, org, 'labels')
}

async function loadOfPath(submitted: Submitted): Promise<{ org: Account; label: Label }> {
  const { org } = await ownedBy(submitted)
  const id = /^\d+$/.test(submitted.param('id')) ? submitted.param('id') : '0'
  return { org, label: await loadLabel(submitted.ctx, { orgId: org.id }, id) }
}

async function attempt(
  submitted: Submitted,
  org: Account,
  id: number | undefined,
  save: (draft: LabelDraft) => Promise<void>,
): Promise<Shown> {
  const draft = readDraft(submitted.form)
  try {
    await save(draft)
    return saved(submitted, org, 'labels')
  } catch (error) {
    const returned = { id, draft, problem: labelProblem(error) }
    return { page: await showLabels(submitted, returned), status: 422 }
  }
}
