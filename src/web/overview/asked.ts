import type { Query } from '../../platform/http/query.ts'
import type { WideQuestion } from '../../collaboration/issues/question.ts'

/** How something concerns the viewer, by the words of the address. */
export const concerns = {
  assigned: { label: 'Assigned', asks: 'assigned' },
  created_by: { label: 'Created', asks: 'created' },
  mentioned: { label: 'Mentioned', asks: 'mentioned' },
  review_requested: { label: 'Review requests', asks: 'review_requested' },
} as const

export type Concern = keyof typeof concerns

export interface Kind {
  readonly path: 'issues' | 'pulls'
  readonly title: string
  /** In words, of one. */
  readonly name: string
  readonly concerns: readonly Concern[]
}

export const issues: Kind = {
  path: 'issues',
  title: 'Your issues',
  name: 'issue',
  concerns: ['assigned', 'created_by', 'mentioned'],
}

export const pulls: Kind = {
  path: 'pulls',
  title: 'Your pull requests',
  name: 'pull request',
  concerns: ['assigned', 'created_by', 'review_requested', 'mentioned'],
}

export interface Asked {
  readonly concern: Concern
  readonly state: 'open' | 'closed'
  readonly text: string
}

export function readAsked({ concerns: offered }: Kind, query: Query): Asked {
  const type = query.text('type')
  return {
    concern: offered.find((concern) => concern === type) ?? 'assigned',
    state: query.text('state') === 'closed' ? 'closed' : 'open',
    text: (query.text('q') ?? '').trim(),
  }
}

export function questionOf({ path }: Kind, { concern, state, text }: Asked): WideQuestion {
  return {
    kinds: { issues: path === 'issues', pulls: path === 'pulls' },
    state,
    keyword: text,
    concerns: [concerns[concern].asks],
  }
}

/** What the address says of it. */
export function toSearch({ concern, state, text }: Asked): string {
  return new URLSearchParams({ type: concern, state, q: text }).toString()
}
