import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { invalid } from '../errors.ts'

/** One of the values that a list is ordered by. */
export interface OrderKey {
  readonly by: RawBuilder<unknown>
  readonly kind: 'text' | 'number'
  readonly direction: 'asc' | 'desc'
}

/** Where a page ended: the values of its last row, one for each key of the order. */
export type Position = readonly (string | number)[]

/** The name under which the value of the key at `place` is selected. */
export function keyAlias(place: number): string {
  return `order_key_${place}`
}

/** A cursor that clients hand back as it is. */
export function writePosition(keys: readonly OrderKey[], row: unknown): string {
  const values = row as Record<string, unknown>
  const position = keys.map((_key, place) => values[keyAlias(place)])
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

export function readPosition(keys: readonly OrderKey[], cursor: string): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const fits = Array.isArray(position) && position.length === keys.length
    if (fits && position.every((value, place) => fitsKey(value, keys[place]))) return position
  } catch {
    // What is no JSON is no cursor either.
  }
  throw invalid('invalid cursor')
}

/** PostgreSQL compares nothing with a value of another kind, and knows no text with a NUL. */
function fitsKey(value: unknown, key: OrderKey | undefined): boolean {
  if (key?.kind === 'number') return Number.isSafeInteger(value)
  return typeof value === 'string' && !value.includes('\0')
}

/** Rows beyond `position` in the order of `keys`, of which the last must be unique. */
export function isBeyond(keys: readonly OrderKey[], position: Position): RawBuilder<SqlBool> {
  const [key, ...rest] = keys
  const [value, ...values] = position
  if (!key) return sql<SqlBool>`1 = 0`
  const further = key.direction === 'asc' ? sql`>` : sql`<`
  if (rest.length === 0) return sql<SqlBool>`${key.by} ${further} ${value}`
  const inclusive = key.direction === 'asc' ? sql`>=` : sql`<=`
  // The first comparison alone serves an index; the others decide among its ties.
  return sql<SqlBool>`(${key.by} ${inclusive} ${value} AND (${key.by} ${further} ${value} OR ${isBeyond(rest, values)}))`
}
