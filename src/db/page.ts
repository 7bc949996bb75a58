import { sql, type SelectQueryBuilder } from 'kysely'
import { isBeyond, keyAlias, readPosition, writePosition, type OrderKey } from './keyset.ts'

/** The part of a list that was asked for. */
export interface Page {
  /** Counted from 1. */
  readonly number: number
  readonly limit: number
  readonly offset: number
  /** Where the page before this one ended, and empty for the first: given where pages are asked for by cursor. */
  readonly cursor?: string
}

export interface PageOf<T> {
  readonly items: readonly T[]
  /** All matches, of which `items` are one page. */
  readonly total: number
  /** Of a page that was fetched by cursor: the one for the next page, and whether this is the first. */
  readonly cursor?: { readonly next: string | undefined; readonly isFirst: boolean }
}

/** One page of `query` and the number of all its rows: two statements at most, whatever the size of the page. */
export async function fetchPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  page: Page,
): Promise<PageOf<Row>> {
  const items = await query.limit(page.limit).offset(page.offset).execute()
  if (page.offset === 0 && items.length < page.limit) return { items, total: items.length }
  return { items, total: await countRows(query) }
}

/** The same in the order of `keys`, of which the last is unique: by number, or by cursor where that was asked for. */
export async function fetchOrderedPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly OrderKey[],
  page: Page,
  countAll = () => countRows(query),
): Promise<PageOf<Row>> {
  let ordered = query
  for (const { by, direction } of keys) ordered = ordered.orderBy(by, direction)
  if (page.cursor !== undefined) return fetchBeyond(ordered, keys, page, countAll)
  const items = await ordered.limit(page.limit).offset(page.offset).execute()
  const isAll = page.offset === 0 && items.length < page.limit
  return { items, total: isAll ? items.length : await countAll() }
}

/** By cursor: the page begins after a row, whatever comes and goes before that. */
async function fetchBeyond<DB, TB extends keyof DB, Row>(
  ordered: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly OrderKey[],
  { cursor = '', limit }: Page,
  countAll: () => Promise<number>,
): Promise<PageOf<Row>> {
  const isFirst = cursor === ''
  const wanted = isFirst ? ordered : ordered.where(isBeyond(keys, readPosition(keys, cursor)))
  const values = keys.map(({ by }, place) => sql`${by}`.as(keyAlias(place)))
  const rows = await wanted
    .select(values)
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit) as Row[]
  const next = rows.length > limit ? writePosition(keys, rows[limit - 1]) : undefined
  return { items, total: await countAll(), cursor: { next, isFirst } }
}

/** All rows of `query`, whatever it selects. */
export async function countRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const count = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
  const { total } = (await count.executeTakeFirstOrThrow()) as { total: number }
  return total
}

export function mapPage<T, U>({ items, ...rest }: PageOf<T>, change: (item: T) => U): PageOf<U> {
  return { ...rest, items: items.map((item) => change(item)) }
}
