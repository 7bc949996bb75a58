/** A time that was not filled in for this caller. */
export const UNSET_TIME = '0001-01-01T00:00:00Z'

/** RFC 3339 with whole seconds: a fraction breaks clients. */
export function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
