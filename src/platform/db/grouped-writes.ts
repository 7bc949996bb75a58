import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Database, Executor } from './database.ts'
import { statement } from './statement.ts'

type Work<T> = (tx: Executor) => Promise<T>

interface Waiting {
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

const AT_ONCE = 64
const MAX_REST_MS = 10

/**
 * Many small writes that wait for one commit together. SQLite has one writer, and each commit waits
 * for the disk; PostgreSQL brings its connections together by itself.
 */
export class GroupedWrites {
  readonly #db: Database
  #waiting: Waiting[] = []
  #isRunning = false
  #lastEnd = 0
  #lastMs = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** As a transaction of its own: what fails in it undoes nothing of the others. */
  async run<T>(work: Work<T>): Promise<T> {
    if (this.#db.dialect !== 'sqlite') return this.#db.transaction().execute(work)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ work, resolve, reject })
    if (!this.#isRunning) void this.#runAll()
    return promise as Promise<T>
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      // What is ready in this turn of the event loop comes along, and what gets ready in as much
      // time as the last commit took: a commit keeps everything else waiting.
      await nextTurn()
      const rest = this.#lastMs - (performance.now() - this.#lastEnd)
      if (rest > 0) await pause(rest)
      const began = performance.now()
      await this.#runGroup(this.#waiting.splice(0, AT_ONCE))
      this.#lastEnd = performance.now()
      this.#lastMs = Math.min(this.#lastEnd - began, MAX_REST_MS)
    }
    this.#isRunning = false
  }

  /** Nobody hears of success before the commit. */
  async #runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#db.transaction().execute((tx) => runEach(tx, group))
      for (const [index, outcome] of outcomes.entries()) {
        if ('error' in outcome) group[index]?.reject(outcome.error)
        else group[index]?.resolve(outcome.value)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

async function runEach(tx: Executor, group: readonly Waiting[]): Promise<readonly Outcome[]> {
  const [first, ...others] = group
  // What is alone may undo the whole transaction.
  if (first && others.length === 0) return [{ value: await first.work(tx) }]
  const outcomes: Outcome[] = []
  for (const { work } of group) outcomes.push(await runOne(tx, work))
  return outcomes
}

const begin = statement('SAVEPOINT one')
const undo = statement('ROLLBACK TO one')
const end = statement('RELEASE one')

async function runOne(tx: Executor, work: Work<unknown>): Promise<Outcome> {
  await begin(tx)
  try {
    const value = await work(tx)
    await end(tx)
    return { value }
  } catch (error) {
    await undo(tx)
    await end(tx)
    return { error }
  }
}
