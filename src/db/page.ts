import { sql, type SelectQueryBuilder } from 'kysely'

/** The part of a list that was asked for. */
export interface Page {
  /** Counted from 1. */
  readonly number: number
  readonly limit: number
  readonly offset: number
}

export interface PageOf<T> {
  readonly items: readonly T[]
  /** All matches, of which `items` are one page. */
  readonly total: number
}

/** One page of `query` and the number of all its rows: two statements at most, whatever the size of the page. */
export async function fetchPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  page: Page,
): Promise<PageOf<Row>> {
  const items = await query.limit(page.limit).offset(page.offset).execute()
  if (page.offset === 0 && items.length < page.limit) return { items, total: items.length }
  const count = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
  const { total } = (await count.executeTakeFirstOrThrow()) as { total: number }
  return { items, total }
}

export function mapPage<T, U>({ items, total }: PageOf<T>, change: (item: T) => U): PageOf<U> {
  return { items: items.map((item) => change(item)), total }
}
