import { sql, type RawBuilder, type SqlBool } from 'kysely'

/** As many letters of a name as the indexes have: PostgreSQL takes no long texts into one. */
const INDEXED = 100

/**
 * The name is one of `names`, of which there is at least one; it is looked up in the index of its
 * beginnings.
 */
export function isNamed(
  column: 'label.name' | 'milestone.title',
  names: readonly string[],
): RawBuilder<SqlBool> {
  const name = sql.ref(column)
  const beginnings = names.map((text) => [...text].slice(0, INDEXED).join(''))
  return sql<SqlBool>`(substr(${name}, 1, ${sql.lit(INDEXED)}) IN (${sql.join(beginnings)}) AND ${name} IN (${sql.join(names)}))`
}
