import type { MailNews } from '../../platform/db/columns.ts'

/** What somebody may choose to be mailed of what happens. */
export const mailNewsChoices: readonly MailNews[] = ['all', 'mentions', 'none']

export function wantsMail(choice: MailNews, isMentioned: boolean): boolean {
  return choice === 'all' || (choice === 'mentions' && isMentioned)
}
