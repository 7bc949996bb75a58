/** In one night all tasks begin within this time, one after the other. */
const SPREAD_SECONDS = 3_600
/** A task that is this late waits for the next night. */
const WINDOW_SECONDS = 3 * 3_600
/** Unless it was left out for so long: a machine may be off at night. */
const PATIENCE_SECONDS = 2 * 86_400

/** When something that is done once a night is done. */
export interface Night {
  /** Minutes after midnight, in the time zone of the server. */
  readonly minutes: number
}

/** `02:30`; undefined where it is empty. */
export function readNight(text: string): Night | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : { minutes: Number(hours) * 60 + Number(minutes) }
}

/** One of `count` tasks begins so many minutes later, so that they do not all begin at once. */
export function spread({ minutes }: Night, index: number, count: number): Night {
  const later = Math.floor((SPREAD_SECONDS / 60 / Math.max(count, 1)) * index)
  return { minutes: (minutes + later) % 1_440 }
}

/** The last time before `now` that it was so late, and the next. */
export function timesAround({ minutes }: Night, now: number): { last: number; next: number } {
  const at = (day: number) => {
    const date = new Date(now * 1000)
    date.setDate(date.getDate() + day)
    date.setHours(Math.floor(minutes / 60), minutes % 60, 0, 0)
    return Math.floor(date.getTime() / 1000)
  }
  const today = at(0)
  return today <= now ? { last: today, next: at(1) } : { last: at(-1), next: today }
}

/**
 * Whoever has not begun since this time begins now; undefined where nobody does. `since` is when
 * the process began to look.
 */
export function nightBegan(
  night: Night,
  { startedAt, since, now }: { startedAt: number; since: number; now: number },
): number | undefined {
  const { last } = timesAround(night, now)
  const isTonight = now - last < WINDOW_SECONDS
  const isOverdue = now - Math.max(startedAt, since) > PATIENCE_SECONDS
  return startedAt < last && (isTonight || isOverdue) ? last : undefined
}

/** Such as `02:30`. */
export function timeOfDay({ minutes }: Night): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours, rest].map((part) => String(part).padStart(2, '0')).join(':')
}
