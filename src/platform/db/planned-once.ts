import { hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { AppError, hasCode } from '../errors.ts'

/**
 * PostgreSQL plans a statement each time it is asked, which often takes longer than the statement
 * itself. One that has a name it parses once for each connection, and after some times it keeps the
 * plan, if that is as good for any values as one for the values at hand. Beyond so many a
 * connection would hold too much memory.
 */
const MAX_NAMES = 300
/** What is asked this often is asked again. */
const OFTEN = 3
/** Texts that are counted at a time. */
const MAX_COUNTED = 2_000

/** Stands at the end of a statement with a limit or a count whose plan is right for any values. */
export const onePlan = sql`/* one plan */`

/** Where it matters how many rows have the values, a plan for any values may be a bad one. */
function dependsOnValues(text: string): boolean {
  if (text.endsWith('/* one plan */')) return /\blike\b/i.test(text)
  return /\b(?:like|limit|count)\b/i.test(text)
}

const RESULT_HAS_CHANGED = '0A000'
const IN_FAILED_TRANSACTION = '25P02'

/**
 * The names of statements, made of their texts: whoever knows one, on whichever connection, means
 * the same.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  #generation = ''

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MAX_NAMES || dependsOnValues(text)) return known
    if (this.#count(text) < OFTEN) return undefined
    const name = `codestead_${hash('sha256', text, 'base64url').slice(0, 22)}${this.#generation}`
    this.#names.set(text, name)
    this.#counts.delete(text)
    return name
  }

  /** From now on statements get other names, under which no connection knows them yet. */
  forget(): void {
    this.#names.clear()
    this.#generation = `_${randomUUID().slice(0, 8)}`
  }

  #count(text: string): number {
    const count = (this.#counts.get(text) ?? 0) + 1
    if (this.#counts.size >= MAX_COUNTED) this.#counts.clear()
    this.#counts.set(text, count)
    return count
  }
}

/**
 * A table has got another column in the middle of a transaction: whoever asks again gets through.
 */
class TableChanged extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'the database was changed meanwhile', { cause, retryAfter: 1 })
  }
}

/** From now on `client` gives its statements their names. */
export function nameStatements(client: PoolClient, names: StatementNames): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>
  client.query = ((...parameters: unknown[]) => {
    const [text, values] = parameters
    const hasValues = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = hasValues ? names.nameOf(text) : undefined
    if (name === undefined) return query(...parameters)
    return query({ name, text, values }).catch((error: unknown) => {
      if (!hasCode(error, RESULT_HAS_CHANGED)) throw error
      names.forget()
      return query(text, values).catch((cause: unknown) => {
        throw hasCode(cause, IN_FAILED_TRANSACTION) ? new TableChanged(error) : cause
      })
    })
  }) as typeof client.query
}
