import { askForKey } from '../../identity/auth/security-keys/answer.ts'
import { holderOf } from '../../identity/auth/security-keys/challenges.ts'
import { addKey, offerEnrolment, readNewKey } from '../../identity/auth/security-keys/enrol.ts'
import {
  loadSecurityKey,
  removeSecurityKey,
  securityKeysOf,
  type SecurityKey,
} from '../../identity/auth/security-keys/keys.ts'
import { readInteger } from '../../platform/http/query.ts'
import { timeAgo } from '../figures.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { readNewKeyAnswer, renderSecondFactor } from '../forms/second-factor.ts'
import { renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { traceIn, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { confirmFactors, confirmProblems, keyQuestionPath, renderOwnPassword } from './confirm.ts'
import { showRecoveryCodes } from './recovery-codes.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const SECTION = 'two-factor'

const explanations: Explanations = {
  ...confirmProblems,
  name_invalid: { field: 'key_name', message: 'This name cannot be shown as it is.' },
}

/** Those that there are, and the way to another one. */
export async function renderKeys(look: SignedInLook): Promise<Html> {
  const keys = await securityKeysOf(look.ctx, look.viewer.account)
  const rows = keys.map((key) => ({
    title: key.name,
    about: renderAge(look, key),
    action: html`<a class="button" href="${settingsPath(look, SECTION, 'keys', String(key.id))}" aria-label="Remove ${key.name}">Remove</a>`,
  }))
  return html`
${renderRows(rows, 'You have none. A key in your hand, your phone or your computer answers for you when you sign in; one that knows you by a PIN, finger or face (a passkey) signs you in without a password, too.')}
<p><a class="button" href="${settingsPath(look, SECTION, 'keys', 'new')}">Add a security key</a></p>`
}

function renderAge({ ctx }: SignedInLook, { createdAt, lastUsedAt }: SecurityKey): Html {
  const used = lastUsedAt > 0 ? html`used ${timeAgo(ctx.now(), lastUsedAt)}` : 'not used yet'
  return html`added ${timeAgo(ctx.now(), createdAt)} · ${used}`
}

export async function showNewKey(look: SignedInLook, state?: FormState): Promise<Page> {
  const fields = new FormFields(state ?? { form: new URLSearchParams() })
  const offer = settingsPath(look, SECTION, 'keys', 'offer')
  return inSection(
    look,
    SECTION,
    html`
<h2>Add a security key</h2>
<form class="sheet form" method="post" action="${settingsPath(look, SECTION, 'keys', 'new')}">
${fields.complaint}
${fields.text('key_name', 'Name', { hint: 'By which you know it from others.' })}
${renderOwnPassword(look, fields)}
${renderSecondFactor(look, fields, { question: keyQuestionPath(look), offer })}
<button class="button main" type="submit">Add</button>
</form>`,
  )
}

/** What the script of the page asks a new key. */
export async function offerKey({ ctx, viewer }: Submitted): Promise<Shown> {
  return { record: await offerEnrolment(ctx, viewer) }
}

/** What it asks one that is enrolled. */
export async function askKey({ ctx, viewer }: Submitted): Promise<Shown> {
  return { record: await askForKey(ctx, holderOf(viewer), viewer.account) }
}

export async function enrolKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    // Before the password is looked at: a recovery code is good for one try.
    const name = (form.get('key_name') ?? '').trim()
    const key = await readNewKey(ctx, name, readNewKeyAnswer(submitted))
    await confirmFactors(submitted)
    const codes = await addKey(ctx, viewer, key, traceIn(submitted))
    return codes.length === 0 ? saved(submitted, SECTION) : showRecoveryCodes(submitted, codes)
  } catch (error) {
    return again(await showNewKey(submitted, { form, problem: problemOf(error, explanations) }))
  }
}

/** Before it is removed. */
export async function showKey(look: SignedInLook, state?: FormState): Promise<Page> {
  const key = await keyOf(look)
  const { securityKeys, totpSecret } = look.viewer.account
  const isLast = securityKeys === 1 && totpSecret === ''
  const fields = new FormFields(state ?? { form: new URLSearchParams() })
  return inSection(
    look,
    SECTION,
    html`
<h2>Remove ${key.name}</h2>
<p class="lede">It was ${renderAge(look, key)}. ${isLast && 'It is the last second factor: without it your password works alone.'}</p>
<form class="sheet form" method="post" action="${settingsPath(look, SECTION, 'keys', String(key.id), 'delete')}">
${fields.complaint}
${renderOwnPassword(look, fields)}
${renderSecondFactor(look, fields, { question: keyQuestionPath(look) })}
<button class="button danger" type="submit">Remove</button>
</form>`,
  )
}

export async function dropKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer } = submitted
  const key = await keyOf(submitted)
  try {
    await confirmFactors(submitted)
  } catch (error) {
    const state = { form: submitted.form, problem: problemOf(error, explanations) }
    return again(await showKey(submitted, state))
  }
  await removeSecurityKey(ctx, viewer.account, key, traceIn(submitted))
  return saved(submitted, SECTION)
}

async function keyOf({ ctx, viewer, param }: SignedInLook): Promise<SecurityKey> {
  return loadSecurityKey(ctx, viewer.account, readInteger(param('id')))
}
