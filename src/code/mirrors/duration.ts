import { invalid } from '../../platform/errors.ts'

/**
 * A length of time as Go writes it. Kept in nanoseconds, since no unit that it may have gets lost
 * there.
 */
export type Duration = bigint

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const SECOND = 1_000_000_000n
const MAX = 2n ** 63n - 1n

/** Throws in Go's words. */
export function parseDuration(text: string): Duration {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (rest === '0') return 0n
  const total = sumOf(text, rest)
  if (total > MAX) throw invalidDuration(text)
  return sign === '-' ? -total : total
}

function sumOf(text: string, rest: string): Duration {
  if (rest === '' || text.length > 100) throw invalidDuration(text)
  let total = 0n
  let at = 0
  for (const [piece, number = '', unit = ''] of rest.matchAll(/(\d*\.?\d*)([^\d.]*)/g)) {
    if (piece === '') break
    if (!/\d/.test(number)) throw invalidDuration(text)
    if (unit === '') throw unreadable(`time: missing unit in duration ${quote(text)}`)
    total += pieceOf(text, number, unit)
    at += piece.length
  }
  if (at !== rest.length) throw invalidDuration(text)
  return total
}

function pieceOf(text: string, number: string, unit: string): Duration {
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined
  if (size === undefined) {
    throw unreadable(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`)
  }
  const [whole = '', fraction = ''] = number.split('.')
  const part = fraction === '' ? 0n : (BigInt(fraction) * size) / 10n ** BigInt(fraction.length)
  return BigInt(whole || '0') * size + part
}

function invalidDuration(text: string): Error {
  return unreadable(`time: invalid duration ${quote(text)}`)
}

function unreadable(message: string): Error {
  return invalid(message, { reason: 'interval_invalid' })
}

function quote(text: string): string {
  return JSON.stringify(text)
}

/** `1h30m0s`; below a second the largest unit that fits. */
export function formatDuration(duration: Duration): string {
  if (duration === 0n) return '0s'
  if (duration < 0n) return `-${formatDuration(-duration)}`
  for (const unit of ['ns', 'µs', 'ms']) {
    const size = units[unit] ?? 1n
    if (duration < size * 1_000n) return `${decimal(duration, size)}${unit}`
  }
  const minutes = duration / (60n * SECOND)
  const seconds = `${decimal(duration % (60n * SECOND), SECOND)}s`
  if (minutes === 0n) return seconds
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`
}

function decimal(value: bigint, size: bigint): string {
  const digits = String(size).length - 1
  const fraction = String(value % size)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(value / size) : `${value / size}.${fraction}`
}

/** Rounded up, so that nothing happens too early. */
export function secondsIn(duration: Duration): number {
  return Number((duration + SECOND - 1n) / SECOND)
}

export function ofSeconds(seconds: number): Duration {
  return BigInt(seconds) * SECOND
}
