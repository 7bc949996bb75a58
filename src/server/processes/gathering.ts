import type { Worker } from 'node:cluster'
import type { Figures } from '../../platform/http/figures.ts'
import type { ToWorker } from './messages.ts'

/** Whoever has not answered by then is busy or gone, and left out. */
const PATIENCE_MS = 2_000

interface Gathering {
  readonly found: Figures[]
  readonly missing: Set<Worker>
  readonly finish: () => void
}

/** Asks all workers for their figures, for one of them. */
export class Gatherings {
  readonly #open = new Map<number, Gathering>()
  #last = 0

  begin(workers: Iterable<Worker>, asker: Worker, asked: number): void {
    const question = ++this.#last
    const found: Figures[] = []
    const finish = () => {
      clearTimeout(timer)
      this.#open.delete(question)
      tell(asker, { kind: 'gathered', question: asked, figures: found })
    }
    const timer = setTimeout(finish, PATIENCE_MS).unref()
    const missing = new Set(workers)
    this.#open.set(question, { found, missing, finish })
    for (const worker of missing) tell(worker, { kind: 'tell', question })
  }

  take(worker: Worker, question: number, figures: Figures): void {
    const gathering = this.#open.get(question)
    if (!gathering?.missing.delete(worker)) return
    gathering.found.push(figures)
    if (gathering.missing.size === 0) gathering.finish()
  }

  /** Nobody waits for somebody who has gone. */
  leaveOut(worker: Worker): void {
    for (const gathering of this.#open.values()) {
      if (gathering.missing.delete(worker) && gathering.missing.size === 0) gathering.finish()
    }
  }
}

/** What has just died hears nothing, which its end tells soon enough. */
export function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
