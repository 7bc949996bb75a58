import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database } from '../db/database.ts'
import { nightBegan, spread, timeOfDay, timesAround, type Night } from './nightly.ts'
import { claimTask, listTasks, recordManualRun } from './queries.ts'

/** Work that is done again and again, or whenever an administrator asks for it. */
export interface Task {
  readonly name: string
  /** Without it the task never starts by itself. */
  readonly everySeconds?: number
  /** It is heavy, and done at night where the settings say when that is. */
  readonly isNightly?: boolean
  readonly run: () => Promise<void>
}

/** A task with when it ran and when it will. */
export interface TaskState {
  readonly name: string
  readonly everySeconds: number | undefined
  /** Such as `02:30`, where it is done every night. */
  readonly timeOfDay: string | undefined
  readonly startedAt: number
  readonly nextAt: number | undefined
  readonly runs: number
}

const LOOK_EVERY_MS = 15_000

/**
 * Starts tasks when they are due. The database decides which process does it, so each runs once
 * wherever it is due.
 */
export class Schedule {
  readonly #db: Database
  readonly #log: Logger
  readonly #now: () => number
  readonly #isQuiet: () => boolean
  readonly #night: Night | undefined
  readonly #since: number
  readonly #tasks = new Map<string, Task>()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database, log: Logger, now: () => number, isQuiet = () => false, night?: Night) {
    this.#db = db
    this.#log = log
    this.#now = now
    this.#isQuiet = isQuiet
    this.#night = night
    this.#since = now()
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
    for (const { name, startedAt } of states) {
      const task = this.#tasks.get(name)
      const startedUpTo = task && this.#dueSince(task, startedAt)
      if (!task || startedUpTo === undefined || startedAt > startedUpTo) continue
      if (await claimTask(this.#db, { name, startedUpTo }, this.#now())) await this.#run(task)
    }
  }

  /** Whoever has begun at this time or before begins now. */
  #dueSince(task: Task, startedAt: number): number | undefined {
    if (task.everySeconds === undefined) return undefined
    const now = this.#now()
    const night = this.#nightOf(task)
    if (!night) return now - task.everySeconds
    const began = nightBegan(night, { startedAt, since: this.#since, now })
    return began === undefined ? undefined : began - 1
  }

  #nightOf(task: Task): Night | undefined {
    if (!this.#night || !task.isNightly) return undefined
    const nightly = [...this.#tasks.values()].filter(({ isNightly }) => isNightly)
    return spread(this.#night, nightly.indexOf(task), nightly.length)
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
    return [...this.#tasks.values()].map((task) => {
      const { name, everySeconds } = task
      const { started_at: startedAt = 0, runs = 0 } = rows.get(name) ?? {}
      const night = this.#nightOf(task)
      const at = night && timeOfDay(night)
      const nextAt = this.#nextAt(task, startedAt)
      return { name, everySeconds, timeOfDay: at, startedAt, nextAt, runs }
    })
  }

  #nextAt(task: Task, startedAt: number): number | undefined {
    const { everySeconds } = task
    if (everySeconds === undefined) return undefined
    const night = this.#nightOf(task)
    if (night) return timesAround(night, this.#now()).next
    return Math.max(startedAt + everySeconds, this.#now())
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
