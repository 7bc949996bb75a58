import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Question, Reply } from './worker.ts'

/** How long a thread may take until it can be asked. */
const START_LIMIT_MS = 30_000
const IDLE_MS = 60_000
const MAX_WAITING = 32

export interface ThreadOptions {
  /** Expressions that take forever on some text end with the thread that runs them. */
  readonly timeLimitMs?: number
}

/** Colours one text after the other, beside everything else. */
export class HighlightThread {
  readonly #timeLimitMs: number
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** Texts that it has not got through. */
  #failures = 0
  #idle: NodeJS.Timeout | undefined

  constructor({ timeLimitMs = 3_000 }: ThreadOptions = {}) {
    this.#timeLimitMs = timeLimitMs
  }

  /** `busy` when so many wait that another should not, or the one before took too long: a page may show many such texts. */
  async ask(question: Question): Promise<Reply | 'busy'> {
    if (this.#waiting >= MAX_WAITING) return 'busy'
    this.#waiting++
    const before = this.#failures
    const reply = this.#last.then(async () =>
      this.#failures === before ? this.#answer(question) : ('busy' as const),
    )
    this.#last = reply.finally(() => this.#waiting--)
    return reply
  }

  /** Too slow, or out of memory: then there is no markup, and the text is shown as it is. */
  async #answer(question: Question): Promise<Reply> {
    clearTimeout(this.#idle)
    try {
      const worker = (this.#worker ??= await startWorker())
      const replied = once(worker, 'message', { signal: AbortSignal.timeout(this.#timeLimitMs) })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
      worker.postMessage(question)
      const [reply] = (await replied) as [Reply]
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
      return reply
    } catch {
      this.#failures++
      this.#end()
      return { markup: undefined }
    }
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

/** It says so when it has loaded what it needs. */
async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  worker.unref()
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_LIMIT_MS) })
  } catch (error) {
    void worker.terminate()
    throw error
  }
  return worker
}
