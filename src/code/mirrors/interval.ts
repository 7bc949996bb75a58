import type { Config } from '../../platform/config/config.ts'
import { invalid } from '../../platform/errors.ts'
import { formatDuration, ofSeconds, parseDuration, secondsIn } from './duration.ts'

/** How often a mirror is synchronised by itself; zero seconds: never. */
export interface Interval {
  /** In the contract's form. */
  readonly text: string
  readonly seconds: number
}

const YEAR_SECONDS = 366 * 86_400

export function readInterval({ mirror }: Config, text: string): Interval {
  const duration = parseDuration(text)
  const least = ofSeconds(mirror.min_interval)
  const shown = formatDuration(duration)
  if (duration !== 0n && duration < least) {
    const subject = formatDuration(least)
    throw invalid(`invalid mirror interval: ${shown} is below minimum interval: ${subject}`, {
      reason: 'interval_too_short',
      subject,
    })
  }
  if (duration > ofSeconds(YEAR_SECONDS)) {
    throw invalid(`invalid mirror interval: ${shown} is longer than a year`, {
      reason: 'interval_invalid',
    })
  }
  return { text: shown, seconds: secondsIn(duration) }
}

/** What a mirror has that nothing was said about. */
export function defaultInterval({ mirror }: Config): Interval {
  const seconds = Math.max(mirror.default_interval, mirror.min_interval)
  return { text: formatDuration(ofSeconds(seconds)), seconds }
}

/** A little later each for another mirror: those of one interval do not all come at once. */
export function nextSync(now: number, { seconds }: Pick<Interval, 'seconds'>, id: number): number {
  if (seconds === 0) return 0
  const spread = Math.min(Math.floor(seconds / 10), 300)
  return now + seconds + (spread === 0 ? 0 : (id * 7919) % spread)
}

const FIRST_PAUSE_SECONDS = 600
const MAX_PAUSE_SECONDS = 86_400

/** After so many failures in a row, ever more slowly. */
export function nextTry(
  now: number,
  { seconds }: Pick<Interval, 'seconds'>,
  failures: number,
): number {
  if (seconds === 0) return 0
  const base = Math.min(seconds, FIRST_PAUSE_SECONDS)
  return now + Math.min(base * 2 ** Math.min(failures - 1, 20), MAX_PAUSE_SECONDS)
}
