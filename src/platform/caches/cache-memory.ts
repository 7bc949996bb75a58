/** Something that keeps what was worked out, and can do without. */
export interface Holder {
  readonly name: string
  /** About so many bytes. */
  readonly weight: number
  /**
   * When the first that goes was used last, as `cacheMemory` counts; undefined when there is
   * nothing.
   */
  readonly oldest: number | undefined
  readonly dropOldest: () => void
}

/**
 * What all caches of this process may take together: the longest unused goes first, whichever of
 * them has it.
 */
class CacheMemory {
  limit = Number.POSITIVE_INFINITY
  /** A cache goes with what it was made for. */
  readonly #holders = new Set<WeakRef<Holder>>()
  #uses = 0

  add(holder: Holder): void {
    this.#holders.add(new WeakRef(holder))
  }

  /** Later uses have higher numbers. */
  use(): number {
    return ++this.#uses
  }

  /** Called when something was added. */
  trim(): void {
    let held = this.weight
    while (held > this.limit) {
      const holder = this.#oldestHolder()
      if (!holder) return
      held -= holder.weight
      holder.dropOldest()
      held += holder.weight
    }
  }

  get weight(): number {
    return this.#all().reduce((sum, { weight }) => sum + weight, 0)
  }

  /** What those of each name take. */
  get parts(): ReadonlyMap<string, number> {
    const parts = new Map<string, number>()
    for (const { name, weight } of this.#all()) parts.set(name, (parts.get(name) ?? 0) + weight)
    return parts
  }

  #oldestHolder(): Holder | undefined {
    let first: Holder | undefined
    for (const holder of this.#all()) {
      const { oldest } = holder
      if (oldest !== undefined && oldest < (first?.oldest ?? Number.POSITIVE_INFINITY)) {
        first = holder
      }
    }
    return first
  }

  #all(): Holder[] {
    const all: Holder[] = []
    for (const reference of this.#holders) {
      const holder = reference.deref()
      if (holder) all.push(holder)
      else this.#holders.delete(reference)
    }
    return all
  }
}

export const cacheMemory = new CacheMemory()
