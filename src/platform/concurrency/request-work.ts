import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestTerms {
  /** Waits for a place, and gives the function that leaves it. */
  readonly takePlace: (letIn: AbortSignal) => Promise<() => void>
  /** Why nobody waits for the answer any more; undefined as long as somebody does. */
  readonly goneReason: () => Error | undefined
  /** Such a request changes nothing: it need not come to its end. */
  readonly isRead: boolean
}

const current = new AsyncLocalStorage<RequestWork | undefined>()

/**
 * What is done for one request. It takes a place with the first process that it starts, and has it
 * for all others until its answer is made.
 */
export class RequestWork {
  readonly #terms: RequestTerms
  readonly #waitsFor = new Set<RequestWork>()
  #letIn: AbortController | undefined
  #place: Promise<void> | undefined
  #leave: (() => void) | undefined
  #hasPlace = false
  #isOver = false
  #wasRefused = false

  constructor(terms: RequestTerms) {
    this.#terms = terms
  }

  /** Of the request that is being worked on; undefined for what works for itself. */
  static get current(): RequestWork | undefined {
    return current.getStore()
  }

  /** Does `work`, and all that comes of it, for this request. */
  run<T>(work: () => T): T {
    return current.run(this, work)
  }

  /** Whether it got no place: what it was finding out for others, too, they find out themselves. */
  get wasRefused(): boolean {
    return this.#wasRefused
  }

  /** To be waited for before a process is started. */
  async enter(): Promise<void> {
    const { isRead, goneReason } = this.#terms
    const mayStop = isRead || !(this.#hasPlace || this.#isOver)
    const gone = mayStop ? goneReason() : undefined
    if (gone) {
      this.#wasRefused = true
      throw gone
    }
    if (!this.#isOver) await (this.#place ??= this.#takePlace())
  }

  async #takePlace(): Promise<void> {
    this.#letIn = new AbortController()
    try {
      this.#leave = await this.#terms.takePlace(this.#letIn.signal)
    } catch (error) {
      if (this.#letIn.signal.aborted) return
      this.#wasRefused = true
      throw this.#terms.goneReason() ?? error
    }
    this.#hasPlace = true
    if (this.#isOver) this.end()
    for (const other of this.#waitsFor) other.#enterAtOnce()
  }

  /** Its answer is made: what is still done needs no place, or has another. */
  end(): void {
    this.#isOver = true
    this.#leave?.()
    this.#leave = undefined
  }

  /**
   * Waits for what another request finds out. Who has a place and does nothing in it lets the other
   * one in: all places could be taken by those who wait for one that has none.
   */
  async waitFor(other: RequestWork, result: Promise<unknown>): Promise<void> {
    if (other === this) return
    this.#waitsFor.add(other)
    if (this.#hasPlace) other.#enterAtOnce()
    try {
      await result
    } catch {
      // It is told to whoever wants the result.
    } finally {
      this.#waitsFor.delete(other)
    }
  }

  #enterAtOnce(): void {
    if (this.#hasPlace) return
    this.#hasPlace = true
    this.#letIn?.abort()
    this.#place = Promise.resolve()
    for (const other of this.#waitsFor) other.#enterAtOnce()
  }
}

/** Does `work` for no request, though it was one that had it begun. */
export function forNoRequest<T>(work: () => T): T {
  return current.run(undefined, work)
}

/** Something that several requests want, and one of them finds out. */
export class SharedResult<T> {
  readonly #result: Promise<T>
  readonly #work = RequestWork.current

  constructor(result: Promise<T>) {
    this.#result = result
  }

  /** As it ends; undefined where it failed only because who was finding it out got no place. */
  async settled(): Promise<{ readonly value: T } | undefined> {
    const own = RequestWork.current
    if (own && this.#work) await own.waitFor(this.#work, this.#result)
    try {
      return { value: await this.#result }
    } catch (error) {
      if (own !== this.#work && this.#work?.wasRefused) return undefined
      throw error
    }
  }
}
