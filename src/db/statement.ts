import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Executor } from './database.ts'

type Statement<Row> = (db: Executor, ...parameters: readonly unknown[]) => Promise<readonly Row[]>

/**
 * A statement written out, for what nearly every request runs: building it anew each time would cost more than
 * running it. Parameters are `?`, as SQLite has them.
 */
export function statement<Row>(text: string): Statement<Row> {
  let count = 0
  const numbered = text.replace(/\?/g, () => `$${++count}`)
  return async (db, ...parameters) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const query = CompiledQuery.raw(isPostgres ? numbered : text, [...parameters])
    const { rows } = await db.executeQuery<Row>(query)
    return rows
  }
}

/** Longer lists are rare, and not worth keeping a text for each length. */
const KEPT_LENGTHS = 64

/** The same for several ids, which stand in place of the `(*)`. */
export function statementForIds<Row>(
  text: string,
): (db: Executor, ids: readonly number[]) => Promise<readonly Row[]> {
  const kept: Statement<Row>[] = []
  return (db, ids) => {
    const { length } = ids
    const run =
      kept[length] ?? statement<Row>(text.replace('(*)', `(${ids.map(() => '?').join()})`))
    if (length <= KEPT_LENGTHS) kept[length] = run
    return run(db, ...ids)
  }
}
