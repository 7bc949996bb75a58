import { recoveryCodesLeft, renewRecoveryCodes } from '../../identity/auth/recovery-codes.ts'
import {
  disableOneTimeCodes,
  offerSecondFactor,
  readOffer,
  takeSecondFactor,
  type Offer,
} from '../../identity/auth/second-factor.ts'
import { hasSecondFactor, type Account } from '../../identity/users/account.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'
import { renderSecondFactor } from '../forms/second-factor.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { traceIn, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { renderQrCode } from '../qr-code.ts'
import { confirmFactors, confirmProblems, keyQuestionPath, renderOwnPassword } from './confirm.ts'
import { showRecoveryCodes } from './recovery-codes.ts'
import { again, inSection, saved, settingsPath } from './section.ts'
import { renderKeys } from './security-keys.ts'

const SECTION = 'two-factor'
/** Beside the code that an app shows for the first time. */
const CONFIRMING = 'recovery_code'

const explanations: Explanations = {
  ...confirmProblems,
  code_wrong: { field: 'one_time_code', message: 'This code is wrong.' },
}

const tooLate = { message: 'That took too long. Here is a new secret for your app.' }

interface FactorState extends FormState {
  /** What was shown before. */
  readonly offer?: Offer | undefined
}

/**
 * What has to be shown beside the password: whether there is something, and how to get or lose it.
 */
export async function showSecondFactor(look: SignedInLook, state?: FactorState): Promise<Page> {
  const given = state ?? { form: new URLSearchParams() }
  const isOn = hasSecondFactor(look.viewer.account)
  return inSection(
    look,
    SECTION,
    html`
<h2>Two-factor authentication</h2>
${isOn ? await renderOn(look, given) : await renderOff(look, given)}
<h2>Security keys</h2>
${await renderKeys(look)}
${isOn && look.viewer.account.totpSecret === '' && renderCodesOffered(look)}`,
  )
}

async function renderOff(look: SignedInLook, state: FactorState): Promise<Html> {
  return html`
<p class="lede">It is off. Once it is on, your password works with a code from your phone or with a security key only; access tokens and keys for git work as before.</p>
${await renderSetUp(look, state)}`
}

/** For who has a security key already. */
export async function showCodes(look: SignedInLook, state?: FactorState): Promise<Page> {
  return inSection(
    look,
    SECTION,
    html`
<h2>One-time codes</h2>
${await renderSetUp(look, state ?? { form: new URLSearchParams() })}`,
  )
}

async function renderSetUp(look: SignedInLook, state: FactorState): Promise<Html> {
  const fields = new FormFields(state)
  const offer = state.offer ?? offerSecondFactor(look.ctx, look.viewer.account)
  return html`
<form class="sheet form" method="post" action="${settingsPath(look, SECTION)}">
${fields.complaint}
<p>Show this to an authenticator app:</p>
${await renderQrCode(offer.address, 'The secret for an authenticator app')}
<p>Or type it in: <code class="secret">${inGroups(offer.secret)}</code></p>
<input type="hidden" name="offer" value="${offer.sealed}">
${fields.text('one_time_code', 'The code that it shows', { autocomplete: 'one-time-code', secret: true })}
${renderOwnPassword(look, fields)}
${renderSecondFactor(look, fields, { question: keyQuestionPath(look), code: CONFIRMING })}
<button class="button main" type="submit">Switch on</button>
</form>`
}

function inGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ')
}

async function renderOn(look: SignedInLook, state: FormState): Promise<Html> {
  const fields = new FormFields(state)
  const { account } = look.viewer
  const left = await recoveryCodesLeft(look.ctx, account)
  return html`
<p class="lede">It is on: your password works with ${whatIsAsked(account)} only. ${left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left.</p>
<form class="sheet form" method="post" action="${settingsPath(look, SECTION, 'change')}">
${fields.complaint}
${renderOwnPassword(look, fields)}
${renderSecondFactor(look, fields, { question: keyQuestionPath(look) })}
<p><button class="button main" name="wish" value="codes">New recovery codes</button>${account.totpSecret !== '' && html` <button class="button danger" name="wish" value="off">Switch off one-time codes</button>`}</p>
</form>`
}

function whatIsAsked({ totpSecret, securityKeys }: Account): string {
  const kinds = [
    ...(totpSecret === '' ? [] : ['a one-time code']),
    ...(securityKeys === 0 ? [] : ['a security key']),
  ]
  return kinds.join(' or ')
}

function renderCodesOffered(look: SignedInLook): Html {
  return html`
<h2>One-time codes</h2>
<p class="sheet notice">They are off. <a href="${settingsPath(look, SECTION, 'codes')}">Set up an authenticator app</a> as another way to sign in.</p>`
}

export async function takeFactor(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const offer = readOffer(ctx, viewer.account, form.get('offer') ?? '')
  const refuse = async (problem: FormProblem) => {
    const show = viewer.account.securityKeys > 0 ? showCodes : showSecondFactor
    return again(await show(submitted, { form, problem, offer }))
  }
  if (!offer) return refuse(tooLate)
  try {
    await confirmFactors(submitted, { code: CONFIRMING })
    const code = form.get('one_time_code') ?? ''
    const codes = await takeSecondFactor(ctx, viewer, offer, code, traceIn(submitted))
    return codes.length === 0 ? saved(submitted, SECTION) : showRecoveryCodes(submitted, codes)
  } catch (error) {
    return refuse(problemOf(error, explanations))
  }
}

/** Whoever sits before the browser shows both. */
export async function changeFactor(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    await confirmFactors(submitted)
  } catch (error) {
    const problem = problemOf(error, explanations)
    return again(await showSecondFactor(submitted, { form, problem }))
  }
  if (form.get('wish') === 'off') {
    await disableOneTimeCodes(ctx, viewer.account, traceIn(submitted))
    return saved(submitted, SECTION)
  }
  const codes = await renewRecoveryCodes(ctx, viewer.account, traceIn(submitted))
  return showRecoveryCodes(submitted, codes)
}
