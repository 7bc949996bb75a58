import { confirmsAddresses } from '../../identity/users/confirm.ts'
import {
  addEmailAddresses,
  assertManagesEmails,
  emailAddressesOf,
  mailConfirmationAgain,
  removeEmailAddresses,
} from '../../identity/users/emails.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { renderAction, renderLoss, renderRows } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { traceIn, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { confirmProblems, confirmUnlessFresh, renderUnlessFresh } from './confirm.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const explanations: Explanations = {
  ...confirmProblems,
  email_taken: { field: 'email', message: 'This address belongs to an account already.' },
  email_invalid: { field: 'email', message: 'This is no e-mail address.' },
}

const warning = 'Commits with it are no longer shown as yours, and somebody else may add it.'

/** The addresses by which commits are somebody's. */
export async function showEmails(look: SignedInLook, state?: FormState): Promise<Page> {
  const { ctx, viewer } = look
  assertManagesEmails(ctx)
  const addresses = await emailAddressesOf(ctx, viewer.account)
  const rows = addresses.map(({ address, isPrimary, isActivated }) => ({
    title: address,
    about: [isPrimary ? 'Primary' : 'Further', ...(isActivated ? [] : ['not confirmed'])].join(
      ', ',
    ),
    action: isPrimary
      ? undefined
      : html`${!isActivated && confirmsAddresses(ctx) && renderAction(settingsPath(look, 'emails/confirm'), 'Mail me again', { email: address })}${renderLoss(settingsPath(look, 'emails/delete'), { name: address, warning }, { email: address })}`,
  }))
  const fields = new FormFields(state ?? { form: new URLSearchParams() })
  return inSection(
    look,
    'emails',
    html`
<h2>E-mail addresses</h2>
<p class="lede">Commits with one of these are shown as yours.${confirmsAddresses(ctx) && ' A new one counts when you have used the link that is mailed there.'}</p>
${renderRows(rows, 'There is none.')}
<form class="sheet form" method="post" action="${settingsPath(look, 'emails')}">
${fields.complaint}
${fields.text('email', 'Another address', { type: 'email', autocomplete: 'email' })}
${await renderUnlessFresh(look, fields)}
<button class="button main" type="submit">Add</button>
</form>`,
  )
}

export async function addEmail(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  assertManagesEmails(ctx)
  try {
    await confirmUnlessFresh(submitted)
    await addEmailAddresses(ctx, viewer.account, [form.get('email') ?? ''], traceIn(submitted))
  } catch (error) {
    return again(await showEmails(submitted, { form, problem: problemOf(error, explanations) }))
  }
  return saved(submitted, 'emails')
}

export async function removeEmail(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  assertManagesEmails(ctx)
  const addresses = [form.get('email') ?? '']
  await removeEmailAddresses(ctx, viewer.account, addresses, traceIn(submitted))
  return saved(submitted, 'emails')
}

export async function confirmEmail(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form, request } = submitted
  assertManagesEmails(ctx)
  const from = { address: request.ip }
  await mailConfirmationAgain(ctx, viewer.account, form.get('email') ?? '', from)
  return saved(submitted, 'emails')
}
