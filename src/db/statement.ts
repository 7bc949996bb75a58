import { CompiledQuery, PostgresAdapter, type QueryResult } from 'kysely'
import type { Executor } from './database.ts'
import type { Changes, NewRow, Row as RowOf, Schema } from './schema.ts'

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
  return (db, parameters) =>
    db.executeQuery<Row>(CompiledQuery.raw(isPostgres(db) ? numbered : text, [...parameters]))
}

function isPostgres(db: Executor): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Longer lists are rare, and not worth keeping a text for each length. */
const KEPT_LENGTHS = 64

/** A `statement` for several ids or names, which stand in place of the `(*)`; on PostgreSQL as one array. */
export function statementForIds<Row>(
  text: string,
): (db: Executor, ids: readonly (number | string)[]) => Promise<readonly Row[]> {
  const kept: Statement<Row>[] = []
  const forArray = statement<Row>(text.replace('IN (*)', '= ANY (?)'))
  return (db, ids) => {
    if (isPostgres(db)) return forArray(db, ids)
    const { length } = ids
    const run =
      kept[length] ?? statement<Row>(text.replace('(*)', `(${ids.map(() => '?').join()})`))
    if (length <= KEPT_LENGTHS) kept[length] = run
    return run(db, ...ids)
  }
}

/** A `statement` for several rows of values, which stand in place of the `(*)`, each as `row` has it. */
export function statementForRows<Row>(
  text: string,
  row: string,
): (db: Executor, rows: readonly (readonly unknown[])[]) => Promise<readonly Row[]> {
  const kept: Statement<Row>[] = []
  return (db, rows) => {
    const { length } = rows
    const run = kept[length] ?? statement<Row>(text.replace('(*)', rows.map(() => row).join()))
    if (length <= KEPT_LENGTHS) kept[length] = run
    return run(db, ...rows.flat())
  }
}

/** Adds a row, and gives it as it is then; written out once for each set of columns. */
export function insertOne<T extends keyof Schema>(
  table: T,
): (db: Executor, row: NewRow<T>) => Promise<RowOf<T>> {
  const kept = new Map<string, Statement<RowOf<T>>>()
  return async (db, row) => {
    const given = Object.entries(row).filter(([, value]) => value !== undefined)
    const columns = given.map(([column]) => column).join(', ')
    const places = given.map(() => '?').join()
    const run =
      kept.get(columns) ??
      statement<RowOf<T>>(`INSERT INTO ${table} (${columns}) VALUES (${places}) RETURNING *`)
    kept.set(columns, run)
    const [made] = await run(db, ...given.map(([, value]) => value))
    if (!made) throw new Error(`the new row of ${table} is missing`)
    return made
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
