/** A time that was not filled in for this caller. */
export const UNSET_TIME = '0001-01-01T00:00:00Z'

const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i
/** What can be written again in four digits of a year. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** RFC 3339 to whole seconds since 1970; `undefined` for what is no time. */
export function parseTime(text: string): number | undefined {
  const [, day = ''] = rfc3339.exec(text) ?? []
  const milliseconds = isDay(day) ? Date.parse(text) : Number.NaN
  const isTime = milliseconds >= EARLIEST && milliseconds <= LATEST
  return isTime ? Math.floor(milliseconds / 1000) : undefined
}

/** The engine reads the 30th of February as a day of March. */
function isDay(day: string): boolean {
  const milliseconds = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(day)
}

/** The last second of the day that `text` names, in the zone that it names. */
export function endOfDay(text: string): number {
  return parseTime(text.replace(/T\d\d:\d\d:\d\d(?:\.\d+)?/i, 'T23:59:59')) ?? 0
}

const MAX_WRITTEN = 10_000
const written = new Map<number, string>()

/**
 * RFC 3339 with whole seconds: a fraction breaks clients. The same few times are written again and
 * again.
 */
export function formatTime(seconds: number): string {
  const known = written.get(seconds)
  if (known !== undefined) return known
  const text = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
  if (written.size >= MAX_WRITTEN) written.clear()
  written.set(seconds, text)
  return text
}
