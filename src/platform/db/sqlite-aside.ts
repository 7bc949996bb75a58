import type { SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { ReadAnswer } from './sqlite-thread.ts'

/**
 * Reads that may take long, in a thread of their own: on the event loop's thread nobody else would
 * be answered meanwhile. The thread starts when it is first needed, and idle it does not keep the
 * process alive.
 */
export class SqliteAside {
  readonly #path: string
  readonly #waiting = new Map<number, PromiseWithResolvers<readonly unknown[]>>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(path: string) {
    this.#path = path
  }

  read(sql: string, parameters: readonly SQLInputValue[]): Promise<readonly unknown[]> {
    const id = ++this.#lastId
    const reading = Promise.withResolvers<readonly unknown[]>()
    this.#waiting.set(id, reading)
    const worker = this.#running()
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ id, sql, parameters })
    return reading.promise
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
    this.#fail(new Error('the database is closed'))
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
      workerData: this.#path,
    })
    worker.on('message', (answer: ReadAnswer) => this.#settle(answer))
    worker.on('error', (error) => this.#fail(error))
    this.#worker = worker
    return worker
  }

  #settle(answer: ReadAnswer): void {
    const reading = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ('rows' in answer) reading?.resolve(answer.rows)
    else reading?.reject(answer.error)
  }

  /** The next read starts another thread. */
  #fail(error: unknown): void {
    this.#worker = undefined
    for (const reading of this.#waiting.values()) reading.reject(error)
    this.#waiting.clear()
  }
}
