import { invalid } from '../errors.ts'
import { parseTime } from '../time.ts'

/**
 * The query string, read as leniently as the contract asks: what cannot be read counts as not
 * given.
 */
export class Query {
  readonly #values: Readonly<Record<string, string | string[] | undefined>>

  constructor(values: unknown) {
    this.#values = values as Record<string, string | string[] | undefined>
  }

  /** Of a repeated key the first value counts. */
  text(key: string): string | undefined {
    return Object.hasOwn(this.#values, key) ? this.all(key)[0] : undefined
  }

  /** A NUL, which PostgreSQL refuses, is no part of any text. */
  all(key: string): readonly string[] {
    const value = Object.hasOwn(this.#values, key) ? this.#values[key] : undefined
    if (value === undefined) return []
    return (Array.isArray(value) ? value : [value]).map((text) => text.replaceAll('\0', ''))
  }

  /** 0 when absent or not a number. */
  integer(key: string): number {
    return readInteger(this.text(key) ?? '')
  }

  /** What is listed of issues and their like: `open` unless something else is asked for. */
  state(): 'open' | 'closed' | 'all' {
    const state = this.text('state')
    return state === 'closed' || state === 'all' ? state : 'open'
  }

  boolean(key: string): boolean {
    return isTrue(this.text(key) ?? '')
  }

  /**
   * Absent and empty both mean "not given"; any other text is given, and false unless it says true.
   */
  optionalBoolean(key: string): boolean | undefined {
    const value = this.text(key)
    return value === undefined || value === '' ? undefined : isTrue(value)
  }

  /** Seconds since 1970; here alone the contract refuses what cannot be read. */
  time(key: string): number | undefined {
    // A plus sign that was not encoded has arrived as a blank.
    const value = (this.text(key) ?? '').trim().replace(' ', '+')
    if (value === '') return undefined
    const seconds = parseTime(value)
    if (seconds === undefined)
      throw invalid(`parsing time "${value}": it is not as RFC 3339 has it`)
    return seconds
  }

  keys(): readonly string[] {
    return Object.keys(this.#values)
  }
}

/**
 * Anything but digits with an optional sign is 0; what is beyond our numbers is the last of them.
 */
export function readInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) return 0
  const number = Number(text)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number))
}

function isTrue(text: string): boolean {
  return /^(1|t|T|true|True|TRUE)$/.test(text) || text.toLowerCase() === 'on'
}
