import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Question, Reply } from './worker.ts'

/** Expressions that take forever on some text end with the thread that runs them. */
const TIME_LIMIT_MS = 1_000
const IDLE_MS = 60_000
const MAX_WAITING = 32

/** Colours one text after the other, beside everything else. */
export class HighlightThread {
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #idle: NodeJS.Timeout | undefined

  /** `busy` when so many wait that another should not. */
  async ask(question: Question): Promise<Reply | 'busy'> {
    if (this.#waiting >= MAX_WAITING) return 'busy'
    this.#waiting++
    const reply = this.#last.then(() => this.#answer(question))
    this.#last = reply.finally(() => this.#waiting--).catch(() => undefined)
    return reply
  }

  async #answer(question: Question): Promise<Reply> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= startWorker())
    const signal = AbortSignal.timeout(TIME_LIMIT_MS)
    try {
      const replied = once(worker, 'message', { signal })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
      worker.postMessage(question)
      const [reply] = (await replied) as [Reply]
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
      return reply
    } catch {
      // Too slow, or out of memory: the text is shown as it is.
      this.#end()
      return { markup: undefined }
    }
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  worker.unref()
  return worker
}
