import { confirmPassword } from '../../identity/auth/confirm-password.ts'
import { hasPassword } from '../../identity/auth/first-password.ts'
import { assertJustSignedIn, hasJustSignedIn } from '../../identity/auth/fresh-session.ts'
import type { FormFields } from '../forms/fields.ts'
import type { Explanations } from '../forms/problem.ts'
import { readSecondFactor, renderSecondFactor } from '../forms/second-factor.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Look, SignedInLook, Submitted } from '../look.ts'
import { passwordPath, settingsPath } from './section.ts'

/** The fields of one form; with several on a page, each has its own. */
export interface FactorFields {
  readonly password?: string
  readonly code?: string
}

/** Whoever sits before the browser shows both factors. */
export async function confirmFactors(
  submitted: Submitted,
  { password = 'password', code }: FactorFields = {},
): Promise<void> {
  const { ctx, viewer, form } = submitted
  const second = readSecondFactor(submitted, code)
  await confirmPassword(ctx, viewer.account, form.get(password) ?? '', second)
}

/** For what lets somebody in from then on: both factors, unless they were shown just now. */
export async function confirmUnlessFresh(
  submitted: Submitted,
  factors?: FactorFields,
): Promise<void> {
  const { ctx, viewer } = submitted
  if (!(await asksAgain(submitted))) return
  if (hasPassword(viewer.account)) return confirmFactors(submitted, factors)
  await assertJustSignedIn(ctx, viewer)
}

/** What a form asks for then. */
export async function renderUnlessFresh(
  look: SignedInLook,
  fields: FormFields,
  { password, code }: FactorFields = {},
): Promise<Html | undefined> {
  if (!(await asksAgain(look))) return undefined
  const prompt = { question: keyQuestionPath(look), ...(code !== undefined && { code }) }
  return html`
${renderOwnPassword(look, fields, { name: password, hint: 'You signed in more than ten minutes ago.' })}
${renderSecondFactor(look, fields, prompt)}`
}

/** A proxy vouches for each request anew. */
async function asksAgain({ ctx, viewer }: SignedInLook): Promise<boolean> {
  return viewer.credential.kind !== 'proxy' && !(await hasJustSignedIn(ctx, viewer))
}

interface PasswordField {
  readonly name?: string | undefined
  readonly hint?: string | undefined
}

/** Where somebody shows the password again; who has none is led to where they get one. */
export function renderOwnPassword(
  look: SignedInLook,
  fields: FormFields,
  { name = 'password', hint }: PasswordField = {},
): Html {
  if (hasPassword(look.viewer.account)) {
    const known = { type: 'password', autocomplete: 'current-password' } as const
    return fields.text(name, 'Your password', {
      ...known,
      ...(hint !== undefined && { hint }),
    })
  }
  return html`<p>This takes a password, and you have none: <a href="${passwordPath(look)}">set one first</a>.</p>`
}

export const FACTOR_MISSING = 'The password is right. Show your second factor, too.'

export const confirmProblems: Explanations = {
  second_factor_missing: { field: 'one_time_code', message: FACTOR_MISSING },
  password_wrong: { field: 'password', message: 'The password or the second factor is wrong.' },
}

/** Where the script of such a form gets what it asks a security key. */
export function keyQuestionPath(look: Pick<Look, 'ctx'>): string {
  return settingsPath(look, 'two-factor', 'keys', 'question')
}
