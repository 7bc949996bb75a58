import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** How long a thread may take until it can be asked. */
const START_LIMIT_MS = 30_000
const IDLE_MS = 60_000
/** On a machine that is busy with other things a thread may take so many times its limit. */
const TIMES_LIMIT = 4

/** Of each thread, which needs less space for young objects than the main one. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 }

export interface AskedThreadOptions {
  /**
   * What works longer ends with the thread that works on it; waiting for the machine is no work.
   */
  readonly timeLimitMs: number
  readonly maxWaiting: number
  /** How long a thread is kept that nobody asks; a minute unless it is said. */
  readonly idleMs?: number
}

/**
 * `busy` when so many wait that another should not, or the one before took too long; `failed` when
 * this one did.
 */
export type NoReply = 'busy' | 'failed'

/**
 * Answers one question after the other, beside everything else. Its file says `ready`, and then
 * answers each message by one.
 */
export class AskedThread<Question, Reply extends object> {
  readonly #file: URL
  readonly #timeLimitMs: number
  readonly #maxWaiting: number
  readonly #idleMs: number
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** Questions that it has not got through. */
  #failures = 0
  #idle: NodeJS.Timeout | undefined

  constructor(file: URL, { timeLimitMs, maxWaiting, idleMs = IDLE_MS }: AskedThreadOptions) {
    this.#file = file
    this.#timeLimitMs = timeLimitMs
    this.#maxWaiting = maxWaiting
    this.#idleMs = idleMs
  }

  /** A page may ask many such questions: those that wait behind one that failed are not tried. */
  async ask(question: Question): Promise<Reply | NoReply> {
    if (this.#waiting >= this.#maxWaiting) return 'busy'
    this.#waiting++
    const before = this.#failures
    const reply = this.#last.then(async () =>
      this.#failures === before ? this.#answer(question) : ('busy' as const),
    )
    this.#last = reply.finally(() => this.#waiting--)
    return reply
  }

  /** Too slow, or out of memory: then the next one gets another thread. */
  async #answer(question: Question): Promise<Reply | 'failed'> {
    clearTimeout(this.#idle)
    const answered = new AbortController()
    try {
      const worker = (this.#worker ??= await startWorker(this.#file))
      const tooLong = limitWork(worker, this.#timeLimitMs, answered.signal)
      const replied = once(worker, 'message', { signal: tooLong })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      worker.postMessage(question)
      const [reply] = (await replied) as [Reply]
      this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref()
      return reply
    } catch {
      this.#failures++
      this.#end()
      return 'failed'
    } finally {
      answered.abort()
    }
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

/** A signal for when the thread has worked for so long from now on. */
function limitWork(worker: Worker, limitMs: number, over: AbortSignal): AbortSignal {
  const tooLong = new AbortController()
  const watch = async (before: Promise<number>) => {
    let left = limitMs
    while (left > 1) {
      await pause(left, undefined, { signal: over, ref: false })
      left = limitMs - ((await workOf(worker)) - (await before))
    }
  }
  const end = () => tooLong.abort()
  watch(workOf(worker)).then(end, end)
  return AbortSignal.any([tooLong.signal, AbortSignal.timeout(TIMES_LIMIT * limitMs)])
}

/** In milliseconds. */
async function workOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}

/** It says so when it has loaded what it needs. */
async function startWorker(file: URL): Promise<Worker> {
  const worker = new Worker(file, { resourceLimits })
  worker.unref()
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_LIMIT_MS) })
  } catch (error) {
    void worker.terminate()
    throw error
  }
  return worker
}
