import { sql, type RawBuilder, type SqlBool } from 'kysely'

const MAX_LENGTH = 255

/**
 * `value` contains `text`, which is taken literally: no wildcard of LIKE gets through. Long
 * patterns take LIKE long, so that only what has the beginning of a long text is asked for the
 * whole of it.
 */
export function contains(value: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const begins = sql<SqlBool>`${value} LIKE ${`%${literal(text)}%`} ESCAPE '\\'`
  if (text.length <= MAX_LENGTH) return begins
  return sql<SqlBool>`(${begins} AND replace(${value}, ${text}, '') <> ${value})`
}

export function startsWith(value: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${value} LIKE ${`${literal(text)}%`} ESCAPE '\\'`
}

/** `value` is `text`; unlike an equality it leaves SQLite no choice but to look at each row. */
export function isLiterally(value: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${value} LIKE ${literal(text)} ESCAPE '\\'`
}

function literal(text: string): string {
  return [...text]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[\\%_]/g, '\\$&')
}
