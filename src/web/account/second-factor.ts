import { confirmPassword } from '../../auth/confirm-password.ts'
import { recoveryCodesLeft, renewRecoveryCodes } from '../../auth/recovery-codes.ts'
import {
  disableSecondFactor,
  offerSecondFactor,
  readOffer,
  takeSecondFactor,
  type Offer,
} from '../../auth/second-factor.ts'
import { invalid } from '../../errors.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanation } from '../forms/problem.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { renderQrCode } from '../qr-code.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const SECTION = 'two-factor'

const explanations: readonly Explanation[] = [
  [
    /password or one-time code/,
    { field: 'password', message: 'The password or the one-time code is wrong.' },
  ],
  [/one-time code is wrong/, { field: 'one_time_code', message: 'This code is wrong.' }],
  [/^the offer is over$/, { message: 'That took too long. Here is a new secret for your app.' }],
]

interface FactorState extends FormState {
  /** What was shown before. */
  readonly offer?: Offer | undefined
}

/** What has to be shown beside the password: whether there is one, and how to get or lose it. */
export async function showSecondFactor(look: SignedInLook, state?: FactorState): Promise<Page> {
  const has = look.viewer.account.totpSecret !== ''
  const given = state ?? { form: new URLSearchParams() }
  return inSection(look, SECTION, has ? await renderOn(look, given) : await renderOff(look, given))
}

async function renderOff(look: SignedInLook, state: FactorState): Promise<Html> {
  const fields = new FormFields(state)
  const offer = state.offer ?? offerSecondFactor(look.ctx, look.viewer.account)
  return html`
<h2>Two-factor authentication</h2>
<p class="lede">It is off. Once it is on, your password works with a code from your phone only; access tokens and keys work as before.</p>
<form class="sheet form" method="post" action="${settingsPath(look, SECTION)}">
${fields.complaint}
<p>Show this to an authenticator app:</p>
${await renderQrCode(offer.address, 'The secret for an authenticator app')}
<p>Or type it in: <code class="secret">${inGroups(offer.secret)}</code></p>
<input type="hidden" name="offer" value="${offer.sealed}">
${fields.text('one_time_code', 'The code that it shows', { autocomplete: 'one-time-code', secret: true })}
${fields.text('password', 'Your password', { type: 'password', autocomplete: 'current-password' })}
<button class="button main" type="submit">Switch on</button>
</form>`
}

function inGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ')
}

async function renderOn(look: SignedInLook, state: FormState): Promise<Html> {
  const fields = new FormFields(state)
  const left = await recoveryCodesLeft(look.ctx, look.viewer.account)
  return html`
<h2>Two-factor authentication</h2>
<p class="lede">It is on: your password works with a one-time code only. ${left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left.</p>
<form class="sheet form" method="post" action="${settingsPath(look, SECTION, 'change')}">
${fields.complaint}
${fields.text('password', 'Your password', { type: 'password', autocomplete: 'current-password' })}
${fields.text('one_time_code', 'One-time code', { autocomplete: 'one-time-code', secret: true, hint: 'Or a recovery code, which is used up then.' })}
<p><button class="button main" name="wish" value="codes">New recovery codes</button> <button class="button danger" name="wish" value="off">Switch off</button></p>
</form>`
}

function renderCodes(look: SignedInLook, codes: readonly string[]): Page {
  return inSection(
    look,
    SECTION,
    html`
<h2>Recovery codes</h2>
<p class="lede">Keep these where you find them without your phone: each works once in place of a one-time code. They are not shown again.</p>
<ul class="sheet notice plain codes">${codes.map((code) => html`<li><code class="secret">${code}</code></li>`)}</ul>
<p><a class="button main" href="${settingsPath(look, SECTION)}">I have kept them</a></p>`,
  )
}

export async function takeFactor(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const offer = readOffer(ctx, viewer.account, form.get('offer') ?? '')
  try {
    if (!offer) throw invalid('the offer is over')
    await assertPassword(submitted, undefined)
    const codes = await takeSecondFactor(ctx, viewer, offer, form.get('one_time_code') ?? '')
    return renderCodes(submitted, codes)
  } catch (error) {
    const problem = problemOf(error, explanations)
    return again(await showSecondFactor(submitted, { form, problem, offer }))
  }
}

/** Whoever sits before the browser shows both. */
export async function changeFactor(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    await assertPassword(submitted, form.get('one_time_code') || undefined)
  } catch (error) {
    const problem = problemOf(error, explanations)
    return again(await showSecondFactor(submitted, { form, problem }))
  }
  if (form.get('wish') === 'off') {
    await disableSecondFactor(ctx, viewer.account)
    return saved(submitted, SECTION)
  }
  return renderCodes(submitted, await renewRecoveryCodes(ctx, viewer.account))
}

async function assertPassword(
  { ctx, viewer, request, form }: Submitted,
  oneTimeCode: string | undefined,
): Promise<void> {
  const presented = { address: request.ip, oneTimeCode }
  await confirmPassword(ctx, viewer.account, form.get('password') ?? '', presented)
}
