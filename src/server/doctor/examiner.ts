import { Worker } from 'node:worker_threads'
import type { Config } from '../../platform/config/config.ts'
import type { Answer, Found } from './thread.ts'

/**
 * Runs checks in a thread with a connection of its own, one subject after another: on the event
 * loop's thread nobody else would be answered meanwhile. The thread starts when it is needed, and
 * ends with the last answer.
 */
export class Examiner {
  readonly #config: Config
  readonly #asked = new Map<string, PromiseWithResolvers<readonly Found[]>>()
  #thread: Worker | undefined

  constructor(config: Config) {
    this.#config = config
  }

  examine(subject: string): Promise<readonly Found[]> {
    const known = this.#asked.get(subject)
    if (known) return known.promise
    const asked = Promise.withResolvers<readonly Found[]>()
    this.#asked.set(subject, asked)
    this.#thread ??= this.#start()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(subject)
    return asked.promise
  }

  #start(): Worker {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: this.#config })
    thread.on('message', (answer: Answer) => this.#settle(answer))
    thread.on('error', (error) => this.#fail(error))
    return thread
  }

  #settle(answer: Answer): void {
    const asked = this.#asked.get(answer.subject)
    this.#asked.delete(answer.subject)
    if (this.#asked.size === 0) {
      void this.#thread?.terminate()
      this.#thread = undefined
    }
    if ('findings' in answer) asked?.resolve(answer.findings)
    else asked?.reject(answer.error)
  }

  /** The next one starts another thread. */
  #fail(error: unknown): void {
    this.#thread = undefined
    for (const asked of this.#asked.values()) asked.reject(error)
    this.#asked.clear()
  }
}
