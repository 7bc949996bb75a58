import type { Page } from '../../platform/db/page.ts'
import type { Query } from '../../platform/http/query.ts'

/** Which part of a list a page shows. */
export function pageOf(query: Query, limit: number): Page {
  const number = Math.min(Math.max(1, query.integer('page')), 1_000_000)
  return { number, limit, offset: (number - 1) * limit }
}
