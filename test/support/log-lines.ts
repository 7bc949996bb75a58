import pino from 'pino'

/** What a server writes to its log. */
export interface LogLines {
  readonly log: pino.Logger
  /** As they were written. */
  readonly raw: readonly string[]
  /** Those with this message, parsed. */
  readonly of: (message: string) => Record<string, unknown>[]
}

export function keepLog(level = 'info'): LogLines {
  const raw: string[] = []
  const log = pino({ level }, { write: (line: string) => raw.push(line) })
  const of = (message: string) =>
    raw
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === message)
  return { log, raw, of }
}
