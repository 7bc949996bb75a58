/** Forms of the page of an issue. */
export type FormName =
  | 'reply'
  | 'title'
  | 'text'
  | 'assignees'
  | 'due'
  | 'dependency'
  | 'time'
  | 'estimate'
  | 'pin'
  | 'merge'
  | 'reviewers'
  | 'base'
  | 'branch'
  | `comment-${number}`
  | `thread-${number}`
  | `said-${number}`
  | `dismissal-${number}`

/** A form that was sent and not taken: what was typed, and what is wrong with it. */
export interface Rejected<Name extends string = FormName> {
  readonly form: Name
  readonly text: string
  readonly problem: string
  /** Of a form with more than one field. */
  readonly fields?: URLSearchParams
}
