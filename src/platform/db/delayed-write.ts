/**
 * Writes what has come together, some time after the first of it or when somebody asks; one write
 * after the other.
 */
export class DelayedWrite {
  readonly #afterMs: number
  readonly #write: () => Promise<void>
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** `write` deals with its failures itself: nobody's call fails for it. */
  constructor(afterMs: number, write: () => Promise<void>) {
    this.#afterMs = afterMs
    this.#write = write
  }

  plan(): void {
    this.#timer ??= setTimeout(() => {
      void this.flush()
    }, this.#afterMs).unref()
  }

  /** Waits until all is written that has come until now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(this.#write)
    await this.#writing
  }
}
