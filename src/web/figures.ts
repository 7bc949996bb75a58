import { formatTime } from '../platform/time.ts'
import { html, type Html } from '../platform/html.ts'
import { once } from './once.ts'

const steps = [
  { seconds: 31_557_600, unit: 'year' },
  { seconds: 2_629_800, unit: 'month' },
  { seconds: 604_800, unit: 'week' },
  { seconds: 86_400, unit: 'day' },
  { seconds: 3600, unit: 'hour' },
  { seconds: 60, unit: 'minute' },
] as const

const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))
const whole = once(() => new Intl.NumberFormat('en'))

/** How long ago, with the exact time for who wants it. */
export function timeAgo(now: number, seconds: number): Html {
  const exact = formatTime(seconds)
  const title = `${exact.slice(0, 10)} ${exact.slice(11, 19)} UTC`
  return html`<time datetime="${exact}" title="${title}">${distance(seconds - now)}</time>`
}

function distance(seconds: number): string {
  const step = steps.find((one) => Math.abs(seconds) >= one.seconds)
  return step ? relative().format(Math.trunc(seconds / step.seconds), step.unit) : 'just now'
}

export function countText(count: number): string {
  return whole().format(count)
}

/** `1 branch`, `2 branches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

const sizes = ['KB', 'MB', 'GB', 'TB'] as const

/** In steps of 1,024, with three digits at most. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte')
  let size = bytes / 1024
  let unit = 0
  while (size >= 1000 && unit < sizes.length - 1) {
    size /= 1024
    unit++
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${sizes[unit]}`
}

const lengths = [
  { seconds: 86_400, unit: 'day' },
  { seconds: 3600, unit: 'hour' },
  { seconds: 60, unit: 'minute' },
  { seconds: 1, unit: 'second' },
] as const

/** In the largest unit that fits without a rest: `8 hours`, `90 minutes`. */
export function lengthText(seconds: number): string {
  const { count, unit } = measure(seconds)
  return counted(count, unit)
}

/** `every day`, `every 30 seconds`. */
export function everyText(seconds: number): string {
  const { count, unit } = measure(seconds)
  return count === 1 ? `every ${unit}` : `every ${counted(count, unit)}`
}

function measure(length: number) {
  const { seconds, unit } = lengths.find((one) => length % one.seconds === 0) ?? lengths[3]
  return { count: length / seconds, unit }
}
