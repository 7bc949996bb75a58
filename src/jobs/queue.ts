import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Database, Executor } from '../db/database.ts'
import { claimJob, deleteJob, insertJob, postponeJob, type Job } from './queries.ts'

/** What each kind of job works on. Its name says what is done; doing it twice does no harm. */
export interface Jobs {
  /** The directory of a repository that has been deleted. */
  readonly remove_repository_folder: { readonly folder: string }
  /** A repository whose refs have moved. */
  readonly measure_repository: { readonly id: number }
}

export type JobKind = keyof Jobs
export type JobHandler<Kind extends JobKind> = (payload: Jobs[Kind]) => Promise<void>

const LOOK_EVERY_MS = 5_000
const LEASE_SECONDS = 600
const MAX_PAUSE_SECONDS = 3_600

/** Work for later, in a table, so that it survives a crash and any process may do it. */
export class JobQueue {
  readonly #db: Database
  readonly #log: Logger
  readonly #now: () => number
  readonly #handlers = new Map<string, (payload: never) => Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #stopped = true

  constructor(db: Database, log: Logger, now: () => number) {
    this.#db = db
    this.#log = log
    this.#now = now
  }

  handle<Kind extends JobKind>(kind: Kind, handler: JobHandler<Kind>): void {
    this.#handlers.set(kind, handler)
  }

  /** In the transaction that causes the work: both happen or neither. */
  async enqueue<Kind extends JobKind>(
    tx: Executor,
    kind: Kind,
    payload: Jobs[Kind],
    { delaySeconds = 0 } = {},
  ): Promise<void> {
    const now = this.#now()
    const job = { kind, payload: JSON.stringify(payload), created_at: now }
    await insertJob(tx, { ...job, run_at: now + delaySeconds })
  }

  start(): void {
    this.#stopped = false
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS).unref()
    this.wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#working
  }

  /** Looks for work at once: after a transaction that caused some. */
  wake(): void {
    if (this.#stopped || this.#working) return
    this.#working = this.runDue()
      .catch((error: unknown) => this.#log.error(error, 'queue not read'))
      .finally(() => (this.#working = undefined))
  }

  /** Does everything that is due. */
  async runDue(): Promise<void> {
    for (let job = await this.#claim(); job; job = await this.#claim()) {
      await this.#run(job)
      if (this.#stopped && this.#timer) return
    }
  }

  async #claim(): Promise<Job | undefined> {
    return claimJob(this.#db, { now: this.#now(), leaseSeconds: LEASE_SECONDS })
  }

  async #run(job: Job): Promise<void> {
    const handler = this.#handlers.get(job.kind)
    try {
      if (!handler) throw new Error(`nobody handles ${job.kind}`)
      await handler(JSON.parse(job.payload) as never)
      await deleteJob(this.#db, job.id)
    } catch (error) {
      this.#log.warn({ err: error, job: job.id, kind: job.kind }, 'job failed')
      const pause = Math.min(2 ** job.attempts * 5, MAX_PAUSE_SECONDS)
      await postponeJob(this.#db, job.id, this.#now() + pause, (error as Error).message)
    }
  }
}
