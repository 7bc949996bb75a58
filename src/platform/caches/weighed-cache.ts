import { cacheMemory, type Holder } from './cache-memory.ts'
import { SharedResult } from '../concurrency/request-work.ts'

interface Entry<T> {
  readonly value: T
  readonly weight: number
  readonly usedAt: number
}

/** What was worked out lately, by key: the longest unused goes when all together weigh too much. */
export class WeighedCache<T> implements Holder {
  readonly name: string
  readonly #entries = new Map<string, Entry<T>>()
  readonly #pending = new Map<string, SharedResult<T>>()
  readonly #maxWeight: number
  #weight = 0

  /** The name stands in the figures of the server. */
  constructor(name: string, maxWeight: number) {
    this.name = name
    this.#maxWeight = maxWeight
    cacheMemory.add(this)
  }

  get weight(): number {
    return this.#weight
  }

  get oldest(): number | undefined {
    return this.#entries.values().next().value?.usedAt
  }

  dropOldest(): void {
    for (const [oldest, { weight }] of this.#entries) {
      this.#entries.delete(oldest)
      this.#weight -= weight
      return
    }
  }

  /** What is asked for by several at once is worked out once. */
  async get(
    key: string,
    make: () => Promise<{ readonly value: T; readonly weight: number }>,
  ): Promise<T> {
    const known = this.#use(key)
    if (known) return known.value
    const pending = this.#pending.get(key)
    if (!pending) return this.#make(key, make)
    const found = await pending.settled()
    return found ? found.value : this.get(key, make)
  }

  /** What is known already. */
  peek(key: string): T | undefined {
    return this.#use(key)?.value
  }

  keep(key: string, value: T, weight: number): void {
    // Two may have worked it out at once.
    if (!this.#entries.has(key)) this.#keep(key, { value, weight })
  }

  #use(key: string): { readonly value: T } | undefined {
    const known = this.#entries.get(key)
    if (!known) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, { ...known, usedAt: cacheMemory.use() })
    return known
  }

  #make(
    key: string,
    make: () => Promise<{ readonly value: T; readonly weight: number }>,
  ): Promise<T> {
    const made = make()
      .then((entry) => {
        this.#keep(key, entry)
        return entry.value
      })
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, new SharedResult(made))
    return made
  }

  #keep(key: string, entry: { readonly value: T; readonly weight: number }): void {
    // It would push all others out, and then go itself.
    if (entry.weight > this.#maxWeight) return
    // Two may have worked it out at once.
    this.#weight += entry.weight - (this.#entries.get(key)?.weight ?? 0)
    this.#entries.set(key, { ...entry, usedAt: cacheMemory.use() })
    while (this.#weight > this.#maxWeight) this.dropOldest()
    cacheMemory.trim()
  }
}
