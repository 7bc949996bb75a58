import type { Account } from '../../identity/users/account.ts'

export const states = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'] as const

export interface CommitStatus {
  /** Counted up for each commit. */
  readonly number: number
  readonly commitId: string
  readonly state: string
  readonly context: string
  readonly targetUrl: string
  readonly description: string
  /** Absent once the account is gone. */
  readonly creator: Account | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

const bad: readonly string[] = ['error', 'failure', 'warning']
const good: readonly string[] = ['success', 'skipped']

/** What the last states of all contexts come to; with none, nothing has been said yet. */
export function combine(lastStates: readonly string[]): 'pending' | 'success' | 'failure' {
  if (lastStates.some((state) => bad.includes(state))) return 'failure'
  const allGood = lastStates.length > 0 && lastStates.every((state) => good.includes(state))
  return allGood ? 'success' : 'pending'
}
