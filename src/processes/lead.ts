import cluster, { type Worker } from 'node:cluster'
import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Config } from '../config/config.ts'
import { variableOf } from '../config/config.ts'
import { checkAfterUncleanStop, markRunning } from '../db/database.ts'
import { Gatherings, tell } from './gathering.ts'
import type { FromWorker } from './messages.ts'

/** Starts the workers and stays until all of them have ended; whether they did so well. */
export async function lead(config: Config, log: Logger, count: number): Promise<boolean> {
  checkAfterUncleanStop(config, (message) => log.warn(message))
  const workers = new Workers(config, log)
  process.on('SIGTERM', () => workers.stop())
  process.on('SIGINT', () => workers.stop())
  if (!(await workers.start(count))) return false
  const noteCleanStop = markRunning(config)
  const { endedWell, lostNone } = await workers.ended
  if (endedWell && lostNone) noteCleanStop()
  return endedWell
}

/** Before somebody takes the place of a worker that has ended: whatever ended it may last. */
const PAUSE_MS = 1_000
/** For a worker whose own time to stop is over, and which is still there. */
const GRACE_SECONDS = 5

interface End {
  readonly endedWell: boolean
  /** None was lost on the way, whose place another took. */
  readonly lostNone: boolean
}

/** The processes that serve. They share the doors, which the leading one opens for them, and are replaced when they end. */
class Workers {
  readonly #log: Logger
  readonly #stopSeconds: number
  readonly #environment: Record<string, string>
  readonly #alive = new Set<Worker>()
  readonly #gatherings = new Gatherings()
  readonly #end = Promise.withResolvers<End>()
  #hasStarted = false
  #isStopping = false
  #endedWell = true
  #lostNone = true

  constructor({ server }: Config, log: Logger) {
    this.#log = log
    this.#stopSeconds = server.stop_timeout + GRACE_SECONDS
    // The port may have been chosen a moment ago.
    this.#environment = { [variableOf('server', 'port')]: String(server.port) }
  }

  get ended(): Promise<End> {
    return this.#end.promise
  }

  /** The first by itself: it makes the folder, the key and the tables that the others find. */
  async start(count: number): Promise<boolean> {
    this.#hasStarted = await this.#hire()
    if (!this.#hasStarted) return false
    if (this.#isStopping) return true
    await Promise.all(Array.from({ length: count - 1 }, () => this.#hire()))
    return true
  }

  /** Requests in flight finish; whoever says it twice does not wait for them. */
  stop(): void {
    if (this.#isStopping) return this.#kill()
    this.#isStopping = true
    for (const worker of this.#alive) tell(worker, { kind: 'stop' })
    setTimeout(() => this.#kill(), this.#stopSeconds * 1000).unref()
    this.#endWithLast()
  }

  /** Whether it got as far as to serve. */
  #hire(): Promise<boolean> {
    const ready = Promise.withResolvers<boolean>()
    const worker = cluster.fork(this.#environment)
    this.#alive.add(worker)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') ready.resolve(true)
      else this.#answer(worker, message)
    })
    worker.once('exit', (code, signal) => {
      ready.resolve(false)
      this.#lose(worker, code, signal)
    })
    return ready.promise
  }

  #answer(worker: Worker, message: Exclude<FromWorker, { kind: 'ready' }>): void {
    if (message.kind === 'gather') this.#gatherings.begin(this.#alive, worker, message.question)
    else this.#gatherings.take(worker, message.question, message.figures)
  }

  #lose(worker: Worker, code: number | null, signal: string | null): void {
    this.#alive.delete(worker)
    this.#gatherings.leaveOut(worker)
    if (this.#isStopping) {
      this.#endedWell &&= code === 0
      return this.#endWithLast()
    }
    if (!this.#hasStarted) return
    this.#lostNone = false
    this.#log.error({ worker: worker.process.pid, code, signal }, 'a worker has ended')
    setTimeout(() => this.#replace(), PAUSE_MS)
  }

  #replace(): void {
    if (!this.#isStopping) void this.#hire()
  }

  #kill(): void {
    for (const worker of this.#alive) worker.process.kill('SIGKILL')
  }

  #endWithLast(): void {
    if (this.#alive.size > 0) return
    this.#end.resolve({ endedWell: this.#endedWell, lostNone: this.#lostNone })
  }
}
