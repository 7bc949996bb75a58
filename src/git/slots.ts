import { AppError } from '../errors.ts'

export interface SlotLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly patienceMs: number
}

/** So many may work at once; some more wait for a while, the rest is sent away. */
export class Slots {
  readonly #limits: SlotLimits
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Waits for a place, and gives the function that leaves it. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken < this.#limits.atOnce) this.#taken++
    else await this.#wait(signal)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#leave()
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.waiting) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => reject(busy())
    const timer = setTimeout(giveUp, this.#limits.patienceMs)
    signal.addEventListener('abort', giveUp)
    this.#waiting.add(resolve)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      this.#waiting.delete(resolve)
    }
  }

  /** The place goes to whoever has waited longest. */
  #leave(): void {
    const [next] = this.#waiting
    if (!next) return void this.#taken--
    this.#waiting.delete(next)
    next()
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'The server is busy. Try again later.', { retryAfter: 10 })
}
