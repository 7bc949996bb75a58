import type { Query } from '../../platform/http/query.ts'

export const MIN_LETTERS = 2
export const MAX_LETTERS = 200

/** One line without what no line holds: git would take several for alternatives. */
export function searchWords(query: Query): string {
  const [line = ''] = (query.text('q') ?? '').trim().split(/[\r\n\0]/, 1)
  return line.slice(0, MAX_LETTERS)
}
