import { confirmPassword } from '../../auth/confirm-password.ts'
import type { Explanations } from '../forms/problem.ts'
import { readSecondFactor } from '../forms/second-factor.ts'
import type { Look, Submitted } from '../look.ts'
import { settingsPath } from './section.ts'

/** Whoever sits before the browser shows both factors. */
export async function confirmFactors(submitted: Submitted, codeField?: string): Promise<void> {
  const { ctx, viewer, form } = submitted
  const second = readSecondFactor(submitted, codeField)
  await confirmPassword(ctx, viewer.account, form.get('password') ?? '', second)
}

export const confirmProblems: Explanations = {
  password_wrong: { field: 'password', message: 'The password or the second factor is wrong.' },
}

/** Where the script of such a form gets what it asks a security key. */
export function keyQuestionPath(look: Pick<Look, 'ctx'>): string {
  return settingsPath(look, 'two-factor', 'keys', 'question')
}
