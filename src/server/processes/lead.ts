import cluster, { type Worker } from 'node:cluster'
import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { fileVariableOf, variableOf } from '../../platform/config/names.ts'
import { takeDatabase } from '../../platform/db/database.ts'
import { Gatherings, tell } from './gathering.ts'
import type { FromWorker } from './messages.ts'

/** Starts the workers and stays until all of them have ended; whether they did so well. */
export async function lead(config: Config, log: Logger, count: number): Promise<boolean> {
  const release = await takeDatabase(config, (message) => log.warn(message))
  const workers = new Workers(config, log)
  process.on('SIGTERM', () => workers.stop())
  process.on('SIGINT', () => workers.stop())
  if (!(await workers.startFirst())) {
    release()
    return workers.wereStopped()
  }
  await workers.startOthers(count - 1)
  const { endedWell, lostNone } = await workers.ended
  if (endedWell && lostNone) release()
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

/**
 * The processes that serve. They share the doors, which the leading one opens for them, and are
 * replaced when they end.
 */
class Workers {
  readonly #log: Logger
  readonly #stopSeconds: number
  readonly #environment: Record<string, string>
  readonly #alive = new Set<Worker>()
  /** Of those, who hear what they are told. */
  readonly #hearing = new Set<Worker>()
  readonly #gatherings = new Gatherings()
  readonly #end = Promise.withResolvers<End>()
  #hasStarted = false
  #isStopping = false
  #endedWell = true
  #lostNone = true

  constructor({ server }: Config, log: Logger) {
    this.#log = log
    this.#stopSeconds = server.drain + server.stop_timeout + GRACE_SECONDS
    // The port may have been chosen a moment ago.
    this.#environment = {
      [variableOf('server', 'port')]: String(server.port),
      [fileVariableOf('server', 'port')]: '',
    }
  }

  get ended(): Promise<End> {
    return this.#end.promise
  }

  /** By itself: it makes the folder, the key and the tables that the others find. */
  async startFirst(): Promise<boolean> {
    this.#hasStarted = await this.#hire()
    return this.#hasStarted
  }

  async startOthers(count: number): Promise<void> {
    if (this.#isStopping) return
    await Promise.all(Array.from({ length: count }, () => this.#hire()))
  }

  /** Whether that is why nobody serves. */
  async wereStopped(): Promise<boolean> {
    return this.#isStopping && (await this.ended).endedWell
  }

  /** Requests in flight finish; whoever says it twice does not wait for them. */
  stop(): void {
    if (this.#isStopping) return this.#kill()
    this.#isStopping = true
    for (const worker of this.#hearing) tell(worker, { kind: 'stop' })
    setTimeout(() => this.#kill(), this.#stopSeconds * 1000).unref()
    this.#endWithLast()
  }

  /** Whether it got as far as to serve. */
  #hire(): Promise<boolean> {
    const ready = Promise.withResolvers<boolean>()
    const worker = cluster.fork(this.#environment)
    const noteEnd = (code: number | null, signal: string | null) => {
      ready.resolve(false)
      this.#lose(worker, code, signal)
    }
    this.#alive.add(worker)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') ready.resolve(true)
      else if (message.kind === 'hearing') this.#noteHearing(worker)
      else this.#answer(worker, message)
    })
    worker.once('exit', noteEnd)
    worker.on('error', (error) => {
      this.#log.error({ err: error, worker: worker.process.pid }, 'a worker could not be reached')
      // What the system did not let begin, for want of descriptors for example, has no exit.
      if (worker.process.pid === undefined) noteEnd(null, null)
    })
    return ready.promise
  }

  #noteHearing(worker: Worker): void {
    this.#hearing.add(worker)
    if (this.#isStopping) tell(worker, { kind: 'stop' })
  }

  #answer(worker: Worker, message: Exclude<FromWorker, { kind: 'hearing' | 'ready' }>): void {
    if (message.kind === 'gather') this.#gatherings.begin(this.#hearing, worker, message.question)
    else this.#gatherings.take(worker, message.question, message.figures)
  }

  #lose(worker: Worker, code: number | null, signal: string | null): void {
    // A signal to all processes ends those that do not heed it yet: they have done nothing that
    // would have to end.
    const hadNotBegun = !this.#hearing.has(worker) && isOfStop(signal)
    this.#alive.delete(worker)
    this.#hearing.delete(worker)
    this.#gatherings.leaveOut(worker)
    // It is for us, too, and may come a moment later.
    if (hadNotBegun && !this.#hasStarted) this.#isStopping = true
    if (this.#isStopping) {
      this.#endedWell &&= code === 0 || hadNotBegun
      return this.#endWithLast()
    }
    if (!this.#hasStarted) return
    this.#lostNone &&= hadNotBegun
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

function isOfStop(signal: string | null): boolean {
  return signal === 'SIGTERM' || signal === 'SIGINT'
}
