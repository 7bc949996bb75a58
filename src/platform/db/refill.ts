import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { AnyRow } from './salvage.ts'

/**
 * Puts rows that were saved into a new database of the same tables, in whatever order, also
 * without those that they name.
 */
export class Refill {
  readonly #db: DatabaseSync
  #refused = 0

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    this.#db.exec('BEGIN')
  }

  /** How many rows the tables did not take: doubles, and what cannot be right. */
  get refused(): number {
    return this.#refused
  }

  /** Gives how many were taken. */
  add(table: string, rows: readonly AnyRow[]): number {
    const [first] = rows
    if (!first) return 0
    const columns = Object.keys(first)
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    const insert = this.#db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places})`)
    return rows.filter((row) => this.#insert(insert, Object.values(row))).length
  }

  #insert(insert: StatementSync, values: readonly unknown[]): boolean {
    try {
      insert.run(...(values as SQLInputValue[]))
      return true
    } catch {
      this.#refused++
      return false
    }
  }

  /** How many rows name another that is lost. */
  countBroken(): number {
    return this.#db.prepare('PRAGMA foreign_key_check').all().length
  }

  commit(): void {
    this.#db.exec('COMMIT')
  }

  close(): void {
    this.#db.close()
  }
}
