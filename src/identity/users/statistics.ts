import type { Context } from '../../platform/context.ts'
import { countPeople } from './queries.ts'

const DAY_SECONDS = 86_400

export interface PeopleCounts {
  readonly total: number
  /** Signed in within a month, and within half a year. */
  readonly month: number
  readonly halfYear: number
}

export async function peopleCounts(ctx: Context): Promise<PeopleCounts> {
  const now = ctx.now()
  return countPeople(ctx.db, {
    sinceMonth: now - 30 * DAY_SECONDS,
    sinceHalfYear: now - 180 * DAY_SECONDS,
  })
}
