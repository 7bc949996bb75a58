import { AskedThread } from '../../platform/concurrency/asked-thread.ts'
import type { Question, Reply } from './worker.ts'

export interface ThreadOptions {
  /** Expressions that take forever on some text end with the thread that runs them. */
  readonly timeLimitMs?: number
}

/** Colours one text after the other, beside everything else. */
export class HighlightThread {
  readonly #thread: AskedThread<Question, Reply>

  constructor({ timeLimitMs = 3_000 }: ThreadOptions = {}) {
    const file = new URL('worker.ts', import.meta.url)
    this.#thread = new AskedThread(file, { timeLimitMs, maxWaiting: 32 })
  }

  /** Without markup what took too long: the text is shown as it is. */
  async ask(question: Question): Promise<Reply | 'busy'> {
    const reply = await this.#thread.ask(question)
    return reply === 'failed' ? { markup: undefined } : reply
  }
}
