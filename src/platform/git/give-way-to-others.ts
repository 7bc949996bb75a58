import type { Slots } from './slots.ts'

const LOOK_EVERY_MS = 5_000
/** Who takes less than 16 KiB in a second has a place for little. */
const LEAST_BYTES = 16 * 1024 * (LOOK_EVERY_MS / 1000)

/** An answer on its way to a client. */
export interface Taking {
  /** How many bytes have left. */
  readonly delivered: () => number
  /** Whether there is more than the client takes. */
  readonly isHeldUp: () => boolean
  /** Whether it is the client who should say something, and does not. */
  readonly isAwaited?: () => boolean
  readonly end: () => void
}

/**
 * Ends an answer that has a place and is taken slowly, once somebody has waited for a place all the
 * time between two looks. What git is slow to make is not the client's fault. Gives the function
 * that stops looking.
 */
export function giveWayToOthers(places: Slots, taking: Taking): () => void {
  let before = taking.delivered()
  let wasSlow = false
  const timer = setInterval(() => {
    const taken = taking.delivered() - before
    before += taken
    const isTakenSlowly = taking.isHeldUp() && taken < LEAST_BYTES
    const isSlow = places.areWanted && (isTakenSlowly || (taking.isAwaited?.() ?? false))
    if (isSlow && wasSlow) taking.end()
    wasSlow = isSlow
  }, LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}
