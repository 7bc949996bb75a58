import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger as Logger } from 'fastify'
import type { SecurityChange, Trace } from '../../identity/auth/security-news.ts'
import type { Config } from '../config/config.ts'
import type { Database, Executor } from '../db/database.ts'
import type { RepositoryNews } from '../../outbound/notifications/repository-queries.ts'
import { forNoRequest } from '../concurrency/request-work.ts'
import {
  claimJob,
  deleteJob,
  deletePlanned,
  insertJobs,
  isPlanned,
  postponeJob,
  renewJobs,
  type Job,
} from './queries.ts'

/** What each kind of job works on. Its name says what is done; doing it twice does no harm. */
export interface Jobs {
  /** The directory of a repository that has been deleted. */
  readonly remove_repository_folder: { readonly folder: string }
  /**
   * An organization, or another owner, all of whose repositories are to go, those that are marked.
   */
  readonly remove_repositories: { readonly organizationId: number; readonly actorId: number }
  /** A new issue or comment, for those who want to hear of it. */
  readonly notify_of_issue: {
    readonly issueId: number
    readonly actorId: number
    /** Absent for the issue itself. */
    readonly commentId?: number | undefined
    /** Who is to hear of it, where that is not everybody: a person or a team. */
    readonly only?: Asked | undefined
  }
  /** What `notify_of_issue` is about, as a mail to one of those who want to hear of it. */
  readonly mail_issue_news: Jobs['notify_of_issue'] & Mailed
  /** A release that has been published, for those who watch the repository. */
  readonly tell_of_release: {
    readonly releaseId: number
    readonly repositoryId: number
    readonly actorId: number
  }
  /** What `tell_of_release` is about, as a mail to one of those who watch the repository. */
  readonly mail_release: Jobs['tell_of_release'] & Mailed
  /** Something about a repository itself, for one of those who own it or may own it soon. */
  readonly mail_repository_news: {
    readonly kind: RepositoryNews
    readonly repositoryId: number
    readonly actorId: number
  } & Mailed
  /** Commits that came to the default branch, or a merged pull request: `fixes #1` closes it. */
  readonly obey_words: {
    readonly repositoryId: number
    readonly actorId: number
    readonly pushed?: { readonly ref: string; readonly before: string; readonly after: string }
    readonly pullId?: number
  }
  /** Refs that somebody was about to move, and whose move may be recorded nowhere. */
  readonly record_moved: {
    readonly repositoryId: number
    readonly actorId: number
    readonly updates: readonly {
      readonly ref: string
      readonly before?: string | undefined
      readonly after?: string | undefined
    }[]
    /** All of them move or none. */
    readonly isWhole: boolean
    /** What the commits say was said about another repository, or is not heeded. */
    readonly isForeign: boolean
    readonly renamed?: { readonly from: string; readonly to: string } | undefined
  }
  /** A repository whose refs have moved. */
  readonly measure_repository: { readonly id: number }
  /** A repository whose wiki has changed. */
  readonly measure_wiki: { readonly id: number }
  /** A repository that somebody wants brought from elsewhere. */
  readonly import_repository: { readonly id: number }
  /** A mirror whose turn has come. */
  readonly sync_mirror: { readonly repositoryId: number }
  /** A remote that is told what its repository holds. */
  readonly sync_push_mirror: { readonly id: number }
  /** A repository whose workflows may be others than before, or may not run any more. */
  readonly detect_schedules: { readonly repositoryId: number }
  /** A repository whose pull requests may be mergeable no longer, or again. */
  readonly check_pulls: { readonly repositoryId: number }
  /** A pull request that is to be merged as soon as nothing is missing. */
  readonly merge_scheduled: { readonly issueId: number }
  /** A webhook for which something waits. */
  readonly deliver_webhook: { readonly id: number }
  /** A repository that may be worth packing. */
  readonly collect_garbage: { readonly id: number }
  /** What only deleted repositories had of Git LFS. */
  readonly remove_unused_lfs: Readonly<Record<string, never>>
  /** Somebody who has forgotten a password, if anybody has this address. */
  readonly mail_reset: { readonly email: string }
  /** Somebody who is to show that this address is theirs, if it waits for that. */
  readonly mail_confirmation: { readonly email: string }
  /** What has changed about who gets into an account, for its owner. */
  readonly mail_security: {
    readonly to: string
    readonly account: string
    readonly what: SecurityChange
    readonly named: string
    readonly trace: Trace
    readonly at: number
    /** Of this hour: of more that changes nothing is mailed. */
    readonly isLast: boolean
  }
  /** A feed that may have become longer than it may be. */
  readonly shorten_feed: { readonly kind: 'repository' | 'owner'; readonly id: number }
  /** Stored files whose records have been deleted. */
  readonly remove_files: { readonly keys: readonly string[] }
}

/** Somebody in particular, or everybody in a team. */
export type Asked = { readonly accountId: number } | { readonly teamId: number }

/** To whom something is mailed. */
interface Mailed {
  readonly accountId: number
  readonly isMentioned: boolean
}

export type JobKind = keyof Jobs
export type JobHandler<Kind extends JobKind> = (
  payload: Jobs[Kind],
  /**
   * Says that the server is stopping: whatever takes long ends at once, and is done again later.
   */
  ending: AbortSignal,
  run: JobRun,
) => Promise<void>

/** One try at a job, for those that must not be done twice. */
export interface JobRun {
  readonly id: number
  readonly createdAt: number
  /** Whoever tried before has died over it, and may have done it. */
  readonly wasLeft: boolean
  /**
   * The job is done with this transaction: both happen or neither, the latter also when it is
   * another's by now.
   */
  readonly finish: (tx: Executor) => Promise<void>
}

/** Work that may take long is done apart, so that it holds nothing else back. */
export type LaneName =
  | ''
  | 'imports'
  | 'measures'
  | 'mirrors'
  | 'webhooks'
  | 'garbage'
  | 'removals'
  | 'records'
  | 'mail'

const laneOf: Readonly<Partial<Record<JobKind, LaneName>>> = {
  import_repository: 'imports',
  measure_repository: 'measures',
  measure_wiki: 'measures',
  shorten_feed: 'measures',
  sync_mirror: 'mirrors',
  sync_push_mirror: 'mirrors',
  deliver_webhook: 'webhooks',
  collect_garbage: 'garbage',
  remove_repositories: 'removals',
  remove_files: 'removals',
  remove_unused_lfs: 'removals',
  record_moved: 'records',
  mail_issue_news: 'mail',
  mail_release: 'mail',
  mail_repository_news: 'mail',
  mail_reset: 'mail',
  mail_confirmation: 'mail',
  mail_security: 'mail',
}

export interface LaneOptions {
  readonly atOnce: number
}

interface Lane extends LaneOptions {
  readonly name: LaneName
  readonly workers: Set<Promise<unknown>>
  /** When this process has last put something in, by the clock of `performance`. */
  filledAt: number
  /** Somebody wanted a look while everybody was busy: whoever ends may have looked too early. */
  wantsLook: boolean
}

/** Thrown by a handler whose time has not come yet; nothing has failed. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
  readonly seconds: number

  constructor(seconds: number) {
    super(`not before ${seconds} seconds have passed`)
    this.seconds = seconds
  }
}

/**
 * What reaches other servers and people, or takes something away: a copy of a server leaves it to
 * the original.
 */
const reachingOut: ReadonlySet<LaneName> = new Set(['mirrors', 'webhooks', 'mail', 'removals'])

const LOOK_EVERY_MS = 5_000
/** Between the moment at which a transaction puts something in and its end. */
const LONGEST_TRANSACTION_MS = 1_000
/** How often a process that lives says so while a lease lasts. */
const RENEWALS = 3
const MAX_PAUSE_SECONDS = 3_600

/** Work for later, in a table, so that it survives a crash and any process may do it. */
export class JobQueue {
  readonly #db: Database
  readonly #log: Logger
  readonly #now: () => number
  readonly #isQuiet: () => boolean
  /** A process that has not renewed its leases for so long has died, and others do its jobs. */
  readonly #leaseSeconds: number
  readonly #handlers = new Map<string, JobHandler<never>>()
  readonly #lanes = new Map<LaneName, Lane>()
  /** No other process has the same, nor has this one after it was started again. */
  readonly #self = { worker: randomUUID() }
  readonly #held = new Set<number>()
  #renewing: NodeJS.Timeout | undefined
  #ending = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #stopped = true

  constructor(
    db: Database,
    log: Logger,
    now: () => number,
    { jobs: { lease } }: Config,
    isQuiet = () => false,
  ) {
    this.#db = db
    this.#log = log
    this.#now = now
    this.#isQuiet = isQuiet
    this.#leaseSeconds = lease
    this.addLane('', { atOnce: 1 })
  }

  addLane(name: LaneName, options: LaneOptions): void {
    this.#lanes.set(name, {
      ...options,
      name,
      workers: new Set(),
      filledAt: -Infinity,
      wantsLook: false,
    })
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
    await this.enqueueAll(tx, kind, [payload], { delaySeconds })
  }

  /**
   * Like `enqueue`, unless the same waits already, for at least half as long; without a delay,
   * unless it is there at all.
   */
  async enqueueOnce<Kind extends JobKind>(
    tx: Executor,
    kind: Kind,
    payload: Jobs[Kind],
    { delaySeconds = 0 } = {},
  ): Promise<void> {
    const after = delaySeconds === 0 ? 0 : this.#now() + delaySeconds / 2
    const lane = laneOf[kind] ?? ''
    if (await isPlanned(tx, { kind, lane, payload: JSON.stringify(payload), after })) return
    await this.enqueue(tx, kind, payload, { delaySeconds })
  }

  /**
   * What was planned in case that somebody does not live to do it is done. Others of the same lane
   * are looked through.
   */
  async forget<Kind extends JobKind>(tx: Executor, kind: Kind, payload: Jobs[Kind]): Promise<void> {
    const lane = laneOf[kind] ?? ''
    await deletePlanned(tx, { kind, lane, payload: JSON.stringify(payload) })
  }

  /** Like `enqueue`, for many of a kind. */
  async enqueueAll<Kind extends JobKind>(
    tx: Executor,
    kind: Kind,
    payloads: readonly Jobs[Kind][],
    { delaySeconds = 0 } = {},
  ): Promise<void> {
    const now = this.#now()
    const name = laneOf[kind] ?? ''
    const common = { kind, lane: name, created_at: now, run_at: now + delaySeconds }
    const lane = this.#lanes.get(name)
    if (lane && payloads.length > 0) lane.filledAt = performance.now()
    await insertJobs(
      tx,
      payloads.map((payload) => ({ ...common, payload: JSON.stringify(payload) })),
    )
  }

  start(): void {
    this.#stopped = false
    this.#ending = new AbortController()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    this.#look()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#ending.abort()
    await Promise.all([...this.#lanes.values()].flatMap(({ workers }) => [...workers]))
  }

  /**
   * Looks for work at once: after a transaction that may have caused some. What a longer
   * transaction than that has put in, the regular looks find.
   */
  wake(): void {
    const since = performance.now() - LONGEST_TRANSACTION_MS
    for (const lane of this.#lanes.values()) if (lane.filledAt >= since) this.#addWorker(lane)
  }

  /** Does everything that is due, and what comes of it. */
  async runDue(): Promise<void> {
    const lanes = [...this.#lanes.values()]
    for (let done = 1; done > 0;) {
      const counts = await Promise.all(lanes.map((lane) => this.#work(lane)))
      done = counts.reduce((sum, count) => sum + count)
    }
  }

  #look(): void {
    for (const lane of this.#lanes.values()) this.#addWorker(lane)
  }

  #addWorker(lane: Lane): void {
    if (this.#stopped) return
    lane.wantsLook = lane.workers.size >= lane.atOnce
    if (lane.wantsLook) return
    // Whoever put a job in does not wait for it.
    const worker = forNoRequest(() => this.#work(lane, () => this.#addWorker(lane)))
      .catch((error: unknown) => this.#log.error(error, 'queue not read'))
      .finally(() => {
        lane.workers.delete(worker)
        if (lane.wantsLook) this.#addWorker(lane)
      })
    lane.workers.add(worker)
  }

  /** Does one job of a lane after the other until none is due; says how many. */
  async #work(lane: Lane, onFound?: () => void): Promise<number> {
    let done = 0
    for (let job = await this.#claim(lane); job; job = await this.#claim(lane)) {
      onFound?.()
      await this.#run(job)
      done++
      if (this.#stopped && this.#timer) break
    }
    return done
  }

  async #claim({ name }: Lane): Promise<Job | undefined> {
    if (this.#isQuiet() && reachingOut.has(name)) return undefined
    const now = this.#now()
    const lease = { lane: name, now, leaseUntil: now + this.#leaseSeconds }
    return claimJob(this.#db, this.#self, lease)
  }

  /** Says that this process lives, for all that it works on. */
  async renewLeases(): Promise<void> {
    if (this.#held.size === 0) return
    const leaseUntil = this.#now() + this.#leaseSeconds
    await renewJobs(this.#db, this.#self, [...this.#held], leaseUntil)
  }

  #hold(id: number): void {
    this.#held.add(id)
    const everyMs = (this.#leaseSeconds * 1000) / RENEWALS
    this.#renewing ??= setInterval(() => {
      this.renewLeases().catch((error: unknown) => this.#log.error(error, 'leases not renewed'))
    }, everyMs).unref()
  }

  #letGo(id: number): void {
    this.#held.delete(id)
    if (this.#held.size > 0) return
    clearInterval(this.#renewing)
    this.#renewing = undefined
  }

  async #run(job: Job): Promise<void> {
    this.#hold(job.id)
    try {
      await this.#do(job)
    } finally {
      this.#letGo(job.id)
    }
  }

  async #do(job: Job): Promise<void> {
    try {
      const handler = this.#handlers.get(job.kind)
      if (!handler) throw new Error(`nobody handles ${job.kind}`)
      await handler(JSON.parse(job.payload) as never, this.#ending.signal, this.#runOf(job))
    } catch (error) {
      return this.#postpone(job, error)
    }
    // What is done and cannot be crossed out is not put back as if it had failed.
    await deleteJob(this.#db, this.#self, job.id)
  }

  #runOf({ id, created_at, was_left }: Job): JobRun {
    const finish = async (tx: Executor) => {
      if (await deleteJob(tx, this.#self, id)) return
      throw new Error('another process has taken the job over')
    }
    return { id, createdAt: created_at, wasLeft: was_left === 1, finish }
  }

  async #postpone(job: Job, error: unknown): Promise<void> {
    const { message } = error as Error
    // Handed back at once to whoever is there next.
    if (this.#ending.signal.aborted) return this.#putBack(job, this.#now(), message)
    if (!(error instanceof NotYet)) {
      this.#log.warn({ err: error, job: job.id, kind: job.kind }, 'job failed')
    }
    const backoff = Math.min(2 ** job.attempts * 5, MAX_PAUSE_SECONDS)
    const pause = error instanceof NotYet ? error.seconds : backoff
    await this.#putBack(job, this.#now() + pause, message)
  }

  async #putBack({ id }: Job, runAt: number, error: string): Promise<void> {
    await postponeJob(this.#db, this.#self, id, { runAt, error })
  }
}
