import { CompiledQuery, PostgresAdapter, type QueryResult } from 'kysely'
import type { Executor } from './database.ts'
import type { Changes, NewRow, Row as RowOf, Schema } from './schema.ts'

type Statement<Row> = (db: Executor, ...parameters: readonly unknown[]) => Promise<readonly Row[]>
type Run<Row> = (db: Executor, parameters: readonly unknown[]) => Promise<QueryResult<Row>>

/**
 * A statement written out, for what nearly every request runs: building it anew each time would
 * cost more than running it. Parameters are `?`, as SQLite has them.
 */
export function statement<Row>(text: string): Statement<Row> {
  const run = writtenOut<Row>(text)
  return async (db, ...parameters) => (await run(db, parameters)).rows
}

function writtenOut<Row>(text: string): Run<Row> {
  let count = 0
  const numbered = CompiledQuery.raw(text.replace(/\?/g, () => `$${++count}`))
  const plain = CompiledQuery.raw(text)
  return (db, parameters) =>
    db.getExecutor().executeQuery<Row>({ ...(isPostgres(db) ? numbered : plain), parameters })
}

function isPostgres(db: Executor): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Longer lists are rare, and not worth keeping a text for each length. */
const KEPT_LENGTHS = 64

type Id = number | string

/**
 * A `statement` for lists of ids or names, each of which stands in place of an `IN (*)`; on
 * PostgreSQL as an array. In SQLite lists are filled up with their last id, so that there are few
 * texts to be prepared.
 */
export function statementForIds<Row>(
  text: string,
): (db: Executor, ...lists: readonly (readonly Id[])[]) => Promise<readonly Row[]> {
  const kept = new Map<string, Statement<Row>>()
  const forArrays = statement<Row>(text.replaceAll('IN (*)', '= ANY (?)'))
  return (db, ...lists) => {
    if (isPostgres(db)) return forArrays(db, ...lists)
    const filled = lists.map(fillUp)
    const lengths = filled.map(({ length }) => length)
    const key = lengths.join()
    const run = kept.get(key) ?? statement<Row>(withPlaces(text, lengths))
    if (Math.max(...lengths) <= KEPT_LENGTHS) kept.set(key, run)
    return run(db, ...filled.flat())
  }
}

/** To the next power of two; long ones stay as they are. */
function fillUp(ids: readonly Id[]): readonly Id[] {
  const last = ids.at(-1)
  if (last === undefined || ids.length > KEPT_LENGTHS) return ids
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return ids.length === length ? ids : [...ids, ...Array<Id>(length - ids.length).fill(last)]
}

function withPlaces(text: string, lengths: readonly number[]): string {
  let list = 0
  return text.replaceAll('(*)', () => `(${Array(lengths[list++]).fill('?').join()})`)
}

/**
 * A `statement` for several rows of values, which stand in place of the `(*)`, each as `row` has
 * it.
 */
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

/**
 * Sets columns of the row with an id, and says whether it is still there; written out once for each
 * set of columns.
 */
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
