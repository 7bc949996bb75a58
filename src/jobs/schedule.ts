import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../db/database.ts'
import { claimTask, listTasks, recordManualRun } from './queries.ts'

/** Work that is done again and again, or whenever an administrator asks for it. */
export interface Task {
  readonly name: string
  /** Without it the task never starts by itself. */
  readonly everySeconds?: number
  readonly run: () => Promise<void>
}

/** A task with when it ran and when it will. */
export interface TaskState {
  readonly name: string
  readonly everySeconds: number | undefined
  readonly startedAt: number
  readonly nextAt: number | undefined
  readonly runs: number
}

const LOOK_EVERY_MS = 15_000

/** Starts tasks when they are due. The database decides which process does it, so each runs once wherever it is due. */
export class Schedule {
  readonly #db: Database
  readonly #log: Logger
  readonly #now: () => number
  readonly #isQuiet: () => boolean
  readonly #tasks = new Map<string, Task>()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database, log: Logger, now: () => number, isQuiet = () => false) {
    this.#db = db
    this.#log = log
    this.#now = now
    this.#isQuiet = isQuiet
  }

  add(task: Task): void {
    this.#tasks.set(task.name, task)
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.runDue().catch((error: unknown) => this.#log.error(error, 'schedule not read'))
    }, LOOK_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#running)
  }

  /** Nothing where a copy of a server is to do nothing by itself. */
  async runDue(): Promise<void> {
    if (this.#isQuiet()) return
    const states = await this.list()
    for (const { name, startedAt, everySeconds } of states) {
      const task = this.#tasks.get(name)
      if (!task || everySeconds === undefined || startedAt + everySeconds > this.#now()) continue
      if (await claimTask(this.#db, { name, everySeconds }, this.#now())) await this.#run(task)
    }
  }

  /** Starts a task at once; false when there is none of that name. */
  async runNow(name: string): Promise<boolean> {
    const task = this.#tasks.get(name)
    if (!task) return false
    await recordManualRun(this.#db, name, this.#now())
    void this.#run(task)
    return true
  }

  async list(): Promise<readonly TaskState[]> {
    const rows = new Map((await listTasks(this.#db)).map((row) => [row.name, row]))
    return [...this.#tasks.values()].map(({ name, everySeconds }) => {
      const { started_at: startedAt = 0, runs = 0 } = rows.get(name) ?? {}
      const nextAt =
        everySeconds === undefined ? undefined : Math.max(startedAt + everySeconds, this.#now())
      return { name, everySeconds, startedAt, nextAt, runs }
    })
  }

  /** A task that fails is logged and due again at its next time. */
  async #run(task: Task): Promise<void> {
    const run = task
      .run()
      .catch((error: unknown) => this.#log.error({ err: error, task: task.name }, 'task failed'))
    this.#running.add(run)
    await run
    this.#running.delete(run)
  }
}
