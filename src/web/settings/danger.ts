import { reaches } from '../../platform/access-level.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { AppError } from '../../platform/errors.ts'
import { editRepository } from '../../repositories/repository/edit.ts'
import { readEdit } from '../../repositories/repository/read-edit.ts'
import { assertOwns, removeRepository } from '../../repositories/repository/remove.ts'
import { loadNewOwner } from '../../code/transfers/load.ts'
import { cancelTransfer, offerTransfer } from '../../code/transfers/transfer.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type FormProblem } from '../forms/problem.ts'
import { withNotice } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { personLink } from '../person.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { homeOf, pathTo, type Visit } from '../repository/visit.ts'
import { inSection, saved } from './section.ts'

interface DangerState {
  readonly transfer?: FormState
  readonly removal?: FormState
}

const nothingTyped: FormState = { form: new URLSearchParams() }

/** What is not undone by a click. Only owners hand over and delete. */
export async function showDanger(visit: Visit, state: DangerState = {}): Promise<InShell> {
  const isOwner = reaches(visit.view.access.level, 'owner')
  return inSection(
    visit,
    'danger',
    html`
${renderArchiving(visit)}
${isOwner && renderTransfer(visit, state.transfer ?? nothingTyped)}
${isOwner && renderRemoval(visit, state.removal ?? nothingTyped)}`,
  )
}

function renderArchiving(visit: Visit): Part {
  const { repo } = visit.view
  if (repo.isMirror) return undefined
  return html`
<h2>Archive</h2>
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/danger/archive')}">
<p>An archived repository can be read, and not changed: nobody pushes, and nobody writes issues.</p>
<input type="hidden" name="archived" value="${String(!repo.isArchived)}">
<button class="button" type="submit">${repo.isArchived ? 'Take out of the archive' : 'Archive'}</button>
</form>`
}

function renderTransfer(visit: Visit, state: FormState): Html {
  const { ctx, view } = visit
  if (view.transfer) {
    return html`
<h2>Transfer</h2>
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/danger/transfer/cancel')}">
<p>Offered to ${personLink(ctx.config, view.transfer.recipient)}, who has not decided yet.</p>
<button class="button" type="submit">Cancel the transfer</button>
</form>`
  }
  const fields = new FormFields(state)
  return html`
<h2>Transfer</h2>
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/danger/transfer')}">
<p>Somebody else owns it from then on. Old addresses lead to the new one. Who has to agree first is asked.</p>
${fields.complaint}
${fields.text('new_owner', 'New owner', { hint: 'A person or an organization.' })}
${renderConfirmation(visit, fields, 'transfer_name')}
<button class="button danger" type="submit">Transfer</button>
</form>`
}

function renderRemoval(visit: Visit, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Delete</h2>
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/danger/delete')}">
<p>Code, issues, releases and all that belongs to them are gone for good. Forks stay.</p>
${renderConfirmation(visit, fields, 'delete_name')}
<button class="button danger" type="submit">Delete for good</button>
</form>`
}

function renderConfirmation({ view }: Visit, fields: FormFields, field: string): Html {
  return fields.text(field, `Type ${view.owner.name}/${view.repo.name} to confirm`)
}

/** Nobody does this by mistake. */
function findMistyped({ view, form }: Submitted, field: string): FormProblem | undefined {
  const isConfirmed = form.get(field) === `${view.owner.name}/${view.repo.name}`
  return isConfirmed ? undefined : { field, message: 'This is not the name of this repository.' }
}

export async function archive(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  await editRepository(ctx, viewer, view, readEdit({ archived: form.get('archived') === 'true' }))
  return saved(submitted, 'danger')
}

export async function transfer(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  assertOwns(view)
  const refuse = (problem: FormProblem) => showDanger(submitted, { transfer: { form, problem } })
  const mistyped = findMistyped(submitted, 'transfer_name')
  if (mistyped) return refuse(mistyped)
  try {
    const newOwner = await loadNewOwner(ctx, viewer, form.get('new_owner') ?? '')
    const outcome = await offerTransfer(ctx, viewer, view, newOwner, [])
    if (outcome === 'offered') return saved(submitted, 'danger')
    return { leadsTo: homeOf(ctx, { ...view, owner: newOwner }) }
  } catch (error) {
    return refuse(transferProblem(error))
  }
}

/** Takes the offer back, unless it has been decided on. */
export async function cancelOffer(submitted: Submitted): Promise<Done> {
  assertOwns(submitted.view)
  await cancelTransfer(submitted.ctx, submitted.view)
  return saved(submitted, 'danger')
}

/** Who may be nobody, or may have blocked whoever offers it. */
function transferProblem(error: unknown): FormProblem {
  const isRefused = error instanceof AppError && /not_found|forbidden/.test(error.code)
  if (isRefused) return { field: 'new_owner', message: 'It cannot be offered to them.' }
  return problemOf(error, {
    name_taken: { field: 'new_owner', message: 'They have a repository of this name.' },
  })
}

export async function remove(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  assertOwns(view)
  const refuse = (problem: FormProblem) => showDanger(submitted, { removal: { form, problem } })
  const mistyped = findMistyped(submitted, 'delete_name')
  if (mistyped) return refuse(mistyped)
  try {
    await removeRepository(ctx, viewer.account, view.repo)
  } catch (error) {
    return refuse(problemOf(error))
  }
  const owner = `${basePath(ctx.config)}/${encodeSegment(view.owner.name)}`
  return { leadsTo: withNotice(owner, 'repository-deleted') }
}
