import { CompiledQuery, PostgresAdapter, type QueryResult } from 'kysely'
import type { Executor } from './database.ts'
import type { Changes, Schema } from './schema.ts'

type Statement<Row> = (db: Executor, ...parameters: readonly unknown[]) => Promise<readonly Row[]>
type Run<Row> = (db: Executor, parameters: readonly unknown[]) => Promise<QueryResult<Row>>

/**
 * A statement written out, for what nearly every request runs: building it anew each time would cost more than
 * running it. Parameters are `?`, as SQLite has them.
 */
export function statement<Row>(text: string): Statement<Row> {
  const run = writtenOut<Row>(text)
  return async (db, ...parameters) => (await run(db, parameters)).rows
}

function writtenOut<Row>(text: string): Run<Row> {
  let count = 0
  const numbered = text.replace(/\?/g, () => `$${++count}`)
  return (db, parameters) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    return db.executeQuery<Row>(CompiledQuery.raw(isPostgres ? numbered : text, [...parameters]))
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

/** Sets columns of the row with an id, and says whether it is still there; written out once for each set of columns. */
export function updateById<T extends keyof Schema>(
  table: T,
): (db: Executor, id: number, changes: Changes<T>) => Promise<boolean> {
  const kept = new Map<string, Run<never>>()
  return async (db, id, changes) => {
    const changed = Object.entries(changes).filter(([, value]) => value !== undefined)
    const columns = changed.map(([column]) => `${column} = ?`).join(', ')
    const run = kept.get(columns) ?? writtenOut(`UPDATE ${table} SET ${columns} WHERE id = ?`)
    kept.set(columns, run)
    const { numAffectedRows = 0n } = await run(db, [...changed.map(([, value]) => value), id])
    return numAffectedRows > 0n
  }
}
