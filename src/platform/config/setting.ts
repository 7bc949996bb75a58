/**
 * One configurable value: its default, how it is read from text, and what a reader is told about
 * it.
 */
export interface Setting<T> {
  readonly fallback: T
  readonly about: string
  /** What a good value looks like, for messages and for the table in the documents. */
  readonly expected: string
  /**
   * From TOML (typed) or from the environment (always text); `undefined` when the value is not
   * good.
   */
  readonly read: (value: unknown) => T | undefined
  /** It is or holds a secret, so that no message repeats it. */
  readonly secret?: true
  /** How it is shown to an operator, where that is not as it is kept. */
  show?(value: T): string
}

export function text(fallback: string, about: string): Setting<string> {
  return { fallback, about, expected: 'text', read: (value) => asText(value) }
}

/** A text that no output ever shows. */
export function secret(about: string): Setting<string> {
  return { ...text('', about), secret: true, show: (value) => (value === '' ? '' : '***') }
}

export function boolean(fallback: boolean, about: string): Setting<boolean> {
  return {
    fallback,
    about,
    expected: 'true or false',
    read: (value) => {
      if (typeof value === 'boolean') return value
      if (value === 'true') return true
      return value === 'false' ? false : undefined
    },
  }
}

export function integer(
  fallback: number,
  range: { min: number; max: number },
  about: string,
): Setting<number> {
  return {
    fallback,
    about,
    expected: `a whole number from ${range.min} to ${range.max}`,
    read: (value) => {
      const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
      return number >= range.min && number <= range.max ? number : undefined
    },
  }
}

export function oneOf<const T extends string>(
  choices: readonly T[],
  fallback: T,
  about: string,
): Setting<T> {
  return {
    fallback,
    about,
    expected: `one of ${choices.join(', ')}`,
    read: (value) => choices.find((choice) => choice === String(value)),
  }
}

export function list(fallback: readonly string[], about: string): Setting<readonly string[]> {
  return {
    fallback,
    about,
    expected: 'a list of texts (in the environment: separated by commas)',
    read: (value) => {
      if (Array.isArray(value))
        return value.every((item) => typeof item === 'string') ? value : undefined
      if (typeof value !== 'string') return undefined
      return value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    },
  }
}

/** A length of time, kept in seconds. */
export function duration(
  fallback: string,
  about: string,
  range: { min: string } = { min: '0s' },
): Setting<number> {
  const min = secondsOf(range.min) ?? 0
  return {
    fallback: secondsOf(fallback) ?? 0,
    about,
    expected: `a duration such as 90s, 10m or 8h${min > 0 ? `, at least ${range.min}` : ''}`,
    read: (value) => {
      const seconds = typeof value === 'string' ? secondsOf(value) : undefined
      return seconds !== undefined && seconds >= min ? seconds : undefined
    },
    show: (value) => `${value}s`,
  }
}

/** A number of bytes. */
export function size(
  fallback: string,
  about: string,
  range: { min: string; max?: string } = { min: '0' },
): Setting<number> {
  const min = bytesOf(range.min) ?? 0
  const max = bytesOf(range.max ?? '') ?? Number.MAX_SAFE_INTEGER
  const bounds = min > 0 ? `, from ${range.min}${range.max ? ` to ${range.max}` : ''}` : ''
  return {
    fallback: bytesOf(fallback) ?? 0,
    about,
    expected: `a size such as 64KiB, 100MiB or 2GiB${bounds}`,
    read: (value) => {
      const bytes = bytesOf(String(value))
      return bytes !== undefined && bytes >= min && bytes <= max ? bytes : undefined
    },
    show: showBytes,
  }
}

/** An absolute http or https address, kept without its trailing slash; empty when not set. */
export function address(fallback: string, about: string): Setting<string> {
  return {
    fallback,
    about,
    expected: 'an absolute http or https address',
    read: (value) => {
      const given = asText(value)
      if (given === undefined || given === '') return given
      const url = URL.parse(given)
      const usable = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
      return usable ? url.href.replace(/\/+$/, '') : undefined
    },
  }
}

export function databaseUrl(about: string): Setting<string> {
  return {
    fallback: '',
    about,
    expected: 'postgres://user:password@host:port/database',
    read: (value) => {
      const given = asText(value)
      return given === '' || /^postgres(ql)?:\/\//.test(given ?? '') ? given : undefined
    },
    secret: true,
    show: withoutPassword,
  }
}

/** A server that takes mail, with the name and the password for it; empty when there is none. */
export function mailUrl(about: string): Setting<string> {
  return {
    fallback: '',
    about,
    expected: 'smtp://name:password@host:port or smtps://name:password@host:port',
    read: (value) => {
      const given = asText(value)
      if (given === undefined || given === '') return given
      const url = URL.parse(given)
      const usable = url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
      const isBare = url && /^\/?$/.test(url.pathname) && !url.search && !url.hash
      return usable && isBare && isDecodable(url.username + url.password) ? given : undefined
    },
    secret: true,
    show: withoutPassword,
  }
}

function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}

/** Whom a mail is from: an address, or a name and an address. */
export function mailbox(about: string): Setting<string> {
  return {
    fallback: '',
    about,
    expected: 'an address, or a name and an address such as Codestead <codestead@example.org>',
    read: (value) => {
      const given = asText(value)
      return given === '' || readMailbox(given ?? '') ? given : undefined
    },
  }
}

export interface Mailbox {
  readonly name: string
  readonly address: string
}

export function readMailbox(given: string): Mailbox | undefined {
  const found =
    /^(?<name>[^<>"\p{C}]*)<(?<in>[^\s<>@"]+@[^\s<>@"]+)>$|^(?<bare>[^\s<>@"]+@[^\s<>@"]+)$/u.exec(
      given.trim(),
    )
  const { name = '', in: within, bare } = found?.groups ?? {}
  const written = within ?? bare
  return written === undefined ? undefined : { name: name.trim(), address: written }
}

function secondsOf(words: string): number | undefined {
  if (!/^(\d+[hms])+$/.test(words)) return undefined
  const units: Record<string, number> = { h: 3600, m: 60, s: 1 }
  return [...words.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? 's'] ?? 1),
    0,
  )
}

const byteUnits: Readonly<Record<string, number>> = {
  GiB: 1024 ** 3,
  MiB: 1024 ** 2,
  KiB: 1024,
  B: 1,
}

/** Nothing needs no unit. */
function bytesOf(words: string): number | undefined {
  if (words === '0') return 0
  const [, count, unit] = /^(\d+)([GMK]i)?B$/.exec(words) ?? []
  if (count === undefined) return undefined
  const bytes = Number(count) * (byteUnits[`${unit ?? ''}B`] ?? 1)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

function showBytes(bytes: number): string {
  if (bytes === 0) return '0'
  const found = Object.entries(byteUnits).find(([, worth]) => bytes % worth === 0)
  const [unit, worth] = found ?? ['B', 1]
  return `${bytes / worth}${unit}`
}

function withoutPassword(given: string): string {
  const url = URL.parse(given)
  if (!url) return given === '' ? '' : '***'
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
