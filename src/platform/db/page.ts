import { sql, type Compilable, type SelectQueryBuilder } from 'kysely'
import type { Database } from './database.ts'
import { isBeyond, keyAlias, readPosition, writePosition, type OrderKey } from './keyset.ts'

/** The part of a list that was asked for. */
export interface Page {
  /** Counted from 1. */
  readonly number: number
  readonly limit: number
  readonly offset: number
  /**
   * Where the page before this one ended, and empty for the first: given where pages are asked for
   * by cursor.
   */
  readonly cursor?: string
}

export interface PageOf<T> {
  readonly items: readonly T[]
  /** All matches, of which `items` are one page. */
  readonly total: number
  /**
   * Of a page that was fetched by cursor: the one for the next page, and whether this is the first.
   */
  readonly cursor?: { readonly next: string | undefined; readonly isFirst: boolean }
}

/**
 * One page of `query` and the number of all its rows: two statements at most, whatever the size of
 * the page.
 */
export async function fetchPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  page: Page,
): Promise<PageOf<Row>> {
  const items = await query.limit(page.limit).offset(page.offset).execute()
  return { items, total: endOf(items, page) ?? (await countRows(query)) }
}

/**
 * Like `fetchPage` where both may take long: nobody else waits for them. `count` gives the number
 * as `total`.
 */
export async function fetchPageAside<DB, TB extends keyof DB, Row>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, Row>,
  page: Page,
  count: Compilable = counting(query),
): Promise<PageOf<Row>> {
  const paged = query.limit(page.limit).offset(page.offset)
  const items = (await db.readAside(paged.compile())) as readonly Row[]
  return { items, total: endOf(items, page) ?? (await totalAside(db, count)) }
}

/** What a statement gives as `total`, which may take long to count. */
export async function totalAside(db: Database, query: Compilable): Promise<number> {
  const [row] = (await db.readAside(query.compile())) as { total: number }[]
  return row?.total ?? 0
}

/**
 * How many there are, if the page ends with the last: it has fewer than its limit, and is not
 * beyond it.
 */
function endOf(items: readonly unknown[], { offset, limit }: Page): number | undefined {
  const { length } = items
  return length < limit && (length > 0 || offset === 0) ? offset + length : undefined
}

/**
 * Like `fetchPage` in the order of `keys`, of which the last is unique: by number, or by cursor
 * where one is given.
 */
export async function fetchOrderedPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly OrderKey[],
  page: Page,
  countAll = () => countRows(query),
): Promise<PageOf<Row>> {
  const keyed = page.cursor === undefined ? query : query.select(keyValues(keys))
  const rows = await limitTo(keyed, keys, page).execute()
  return toPage(rows as Row[], keys, page, countAll)
}

/** The values of `keys`, under names of their own. */
export function keyValues(keys: readonly OrderKey[]) {
  return keys.map(({ by }, place) => sql`${by}`.as(keyAlias(place)))
}

/**
 * By cursor the page begins after a row, whatever comes and goes before that; one row more tells
 * whether another follows.
 */
export function limitTo<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly OrderKey[],
  { cursor, limit, offset }: Page,
): SelectQueryBuilder<DB, TB, Row> {
  let ordered = cursor ? query.where(isBeyond(keys, readPosition(keys, cursor))) : query
  for (const { by, direction } of keys) ordered = ordered.orderBy(by, direction)
  // Written out: for a limit that it does not know, PostgreSQL would plan as if a tenth of
  // everything was asked for.
  const limited = ordered.limit(sql.lit(cursor === undefined ? limit : limit + 1))
  return cursor === undefined && offset > 0 ? limited.offset(offset) : limited
}

/** What `limitTo` has left, with the values of the keys if it was by cursor. */
export async function toPage<Row>(
  rows: readonly Row[],
  keys: readonly OrderKey[],
  page: Page,
  countAll: () => Promise<number>,
): Promise<PageOf<Row>> {
  const { cursor, limit } = page
  if (cursor === undefined) return { items: rows, total: endOf(rows, page) ?? (await countAll()) }
  const next = rows.length > limit ? writePosition(keys, rows[limit - 1]) : undefined
  const place = { next, isFirst: cursor === '' }
  return { items: rows.slice(0, limit), total: await countAll(), cursor: place }
}

/** All rows of `query`, whatever it selects. */
export async function countRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const { total } = (await counting(query).executeTakeFirstOrThrow()) as { total: number }
  return total
}

function counting<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) {
  return query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
}

export function mapPage<T, U>({ items, ...rest }: PageOf<T>, change: (item: T) => U): PageOf<U> {
  return { ...rest, items: items.map((item) => change(item)) }
}
