import { AppError } from '../errors.ts'

export interface SlotLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly patienceMs: number
  /** How many of the places one taker gets; half of them unless it is said. */
  readonly share?: number
}

interface Waiter {
  readonly takers: readonly string[]
  readonly enter: () => void
}

/** So many may work at once; some more wait for a while, the rest is sent away. */
export class Slots {
  readonly #patienceMs: number
  readonly #inside: Room
  readonly #anteroom: Room
  /** The longest waiting first. */
  readonly #waiting = new Set<Waiter>()

  constructor({ atOnce, waiting, patienceMs, share }: SlotLimits) {
    this.#patienceMs = patienceMs
    this.#inside = new Room(atOnce, share)
    this.#anteroom = new Room(waiting)
  }

  /** Whether somebody waits for a place. */
  get areWanted(): boolean {
    return this.#waiting.size > 0
  }

  /**
   * Waits for a place, and gives the function that leaves it. Of the `takers` for whom it is, none
   * gets more than its share of the places, and half of those to wait in, so that there are some
   * for others.
   */
  async take(signal: AbortSignal, takers: readonly string[] = []): Promise<() => void> {
    if (this.#inside.hasPlace(takers)) this.#inside.enter(takers)
    else await this.#wait(signal, takers)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#inside.leave(takers)
      this.#letIn()
    }
  }

  async #wait(signal: AbortSignal, takers: readonly string[]): Promise<void> {
    if (signal.aborted || !this.#anteroom.hasPlace(takers)) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => reject(busy())
    const timer = setTimeout(giveUp, this.#patienceMs)
    signal.addEventListener('abort', giveUp)
    const waiter = { takers, enter: resolve }
    this.#waiting.add(waiter)
    this.#anteroom.enter(takers)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      this.#waiting.delete(waiter)
      this.#anteroom.leave(takers)
    }
  }

  /** The place goes to whoever has waited longest of those who may have one more. */
  #letIn(): void {
    for (const waiter of this.#waiting) {
      if (!this.#inside.hasPlace(waiter.takers)) continue
      this.#waiting.delete(waiter)
      this.#inside.enter(waiter.takers)
      return waiter.enter()
    }
  }
}

/** Who is in it, as often as they are. */
class Room {
  readonly #places: number
  readonly #share: number
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  constructor(places: number, share = Math.ceil(places / 2)) {
    this.#places = places
    this.#share = share
  }

  hasPlace(takers: readonly string[]): boolean {
    const hasShare = (taker: string) => (this.#takenBy.get(taker) ?? 0) >= this.#share
    return this.#taken < this.#places && !takers.some(hasShare)
  }

  enter(takers: readonly string[]): void {
    this.#taken++
    for (const taker of takers) this.#takenBy.set(taker, (this.#takenBy.get(taker) ?? 0) + 1)
  }

  leave(takers: readonly string[]): void {
    this.#taken--
    for (const taker of takers) {
      const left = (this.#takenBy.get(taker) ?? 0) - 1
      if (left > 0) this.#takenBy.set(taker, left)
      else this.#takenBy.delete(taker)
    }
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'The server is busy. Try again later.', { retryAfter: 10 })
}
