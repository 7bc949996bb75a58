import { DatabaseSync, type StatementSync } from 'node:sqlite'

export type AnyRow = Readonly<Record<string, unknown>>

const ROWS_AT_ONCE = 200
/** Numbers of rows that are tried one by one where a stretch of a table cannot be read. */
const MOST_TRIED = 1_000_000
/** So many in a row that are not there lie beyond the last of a table whose end cannot be read. */
const LONGEST_GAP = 10_000

/** Reads a damaged database of SQLite around what is damaged in it. */
export class Salvage {
  readonly #db: DatabaseSync

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true })
  }

  close(): void {
    this.#db.close()
  }

  /** Those of which the damaged database still knows. Fails where it knows of nothing any more. */
  tables(): ReadonlySet<string> {
    const rows = this.#db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
    return new Set(rows.map(({ name }) => String(name)))
  }

  /**
   * Gives all rows that can be read to `take`, some at a time; false where something could not be
   * read.
   */
  read(table: string, take: (rows: readonly AnyRow[]) => void): boolean {
    const statements = this.#prepare(table)
    if (!statements) return false
    const { after, before, one } = statements
    const last = readForwards(after, take)
    if (last === undefined) return true
    // From the end back to the same damage; what lies between is tried row by row.
    const [from, rows] = readBackwards(before, last)
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
      take(rows.slice(start, start + ROWS_AT_ONCE))
    tryEach(one, last + 1, from, take)
    return false
  }

  #prepare(table: string) {
    const select = `SELECT rowid AS place, * FROM "${table}"`
    try {
      return {
        after: this.#db.prepare(`${select} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`),
        before: this.#db.prepare(
          `${select} WHERE rowid < ? AND rowid > ? ORDER BY rowid DESC LIMIT 1`,
        ),
        one: this.#db.prepare(`${select} WHERE rowid = ?`),
      }
    } catch {
      return undefined
    }
  }
}

/** Undefined at the end of the table, else the last number before what cannot be read. */
function readForwards(
  after: StatementSync,
  take: (rows: readonly AnyRow[]) => void,
): number | undefined {
  for (let last = -1; ;) {
    const { rows, isBroken } = collect(after, last)
    take(rows.map(withoutPlace))
    last = Number(rows.at(-1)?.['place'] ?? last)
    if (isBroken) return last
    if (rows.length === 0) return undefined
  }
}

/** Those that a statement gives before it fails. */
function collect(
  statement: StatementSync,
  ...values: number[]
): { readonly rows: readonly AnyRow[]; readonly isBroken: boolean } {
  const rows: AnyRow[] = []
  try {
    for (const row of statement.iterate(...values)) rows.push(row)
    return { rows, isBroken: false }
  } catch {
    return { rows, isBroken: true }
  }
}

function readBackwards(before: StatementSync, last: number): [number, readonly AnyRow[]] {
  const rows: AnyRow[] = []
  let from = Number.MAX_SAFE_INTEGER
  for (;;) {
    const found = collect(before, from, last)
    const [row] = found.rows
    if (found.isBroken || !row) return [from, rows]
    from = Number(row['place'])
    rows.push(withoutPlace(row))
  }
}

/**
 * From what can be read before the damage to what can be read behind it, or to where nothing more
 * is found.
 */
function tryEach(
  one: StatementSync,
  first: number,
  end: number,
  take: (rows: readonly AnyRow[]) => void,
): void {
  let missed = 0
  for (let place = first; place < end && place < first + MOST_TRIED; place++) {
    const { rows, isBroken } = collect(one, place)
    take(rows.map(withoutPlace))
    // A page that cannot be read may hold any number of rows; where pages can be read, a long gap
    // is the end.
    missed = rows.length > 0 || isBroken ? 0 : missed + 1
    if (end === Number.MAX_SAFE_INTEGER && missed > LONGEST_GAP) return
  }
}

function withoutPlace({ place: _place, ...row }: AnyRow): AnyRow {
  return row
}
