import { confirmPassword } from '../../auth/confirm-password.ts'
import { hasPassword } from '../../auth/first-password.ts'
import type { FormFields } from '../forms/fields.ts'
import type { Explanations } from '../forms/problem.ts'
import { readSecondFactor } from '../forms/second-factor.ts'
import { html, type Html } from '../html.ts'
import type { Look, SignedInLook, Submitted } from '../look.ts'
import { passwordPath, settingsPath } from './section.ts'

/** Whoever sits before the browser shows both factors. */
export async function confirmFactors(submitted: Submitted, codeField?: string): Promise<void> {
  const { ctx, viewer, form } = submitted
  const second = readSecondFactor(submitted, codeField)
  await confirmPassword(ctx, viewer.account, form.get('password') ?? '', second)
}

/** Where somebody shows the password again; who has none is led to where they get one. */
export function renderOwnPassword(look: SignedInLook, fields: FormFields, hint?: string): Html {
  if (hasPassword(look.viewer.account)) {
    const known = { type: 'password', autocomplete: 'current-password' } as const
    return fields.text('password', 'Your password', {
      ...known,
      ...(hint !== undefined && { hint }),
    })
  }
  return html`<p>This takes a password, and you have none: <a href="${passwordPath(look)}">set one first</a>.</p>`
}

export const confirmProblems: Explanations = {
  password_wrong: { field: 'password', message: 'The password or the second factor is wrong.' },
}

/** Where the script of such a form gets what it asks a security key. */
export function keyQuestionPath(look: Pick<Look, 'ctx'>): string {
  return settingsPath(look, 'two-factor', 'keys', 'question')
}
