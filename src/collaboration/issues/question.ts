import type { IssueState, Kinds } from './conditions.ts'

/** What a list of issues is asked for; what is not given does not matter. */
export interface IssueQuestion {
  readonly kinds: Kinds
  readonly state: IssueState
  readonly keyword?: string
  /** Names. */
  readonly labels?: readonly string[]
  /** Titles. */
  readonly milestones?: readonly string[]
  readonly since?: number | undefined
  readonly before?: number | undefined
  /** People by their names; empty for anybody. */
  readonly createdBy?: string
  readonly assignedTo?: string
  readonly mentioning?: string
}

/** How an issue can concern whoever asks. */
export const concerns = [
  'created',
  'assigned',
  'mentioned',
  'review_requested',
  'reviewed',
] as const
export type Concern = (typeof concerns)[number]

/** What is asked of the issues of all repositories. */
export interface WideQuestion extends Omit<IssueQuestion, 'assignedTo' | 'mentioning'> {
  /** Names; empty for any. */
  readonly owner?: string
  readonly team?: string
  readonly concerns?: readonly Concern[]
}
