import cluster from 'node:cluster'
import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Figures, GatherFigures } from '../../platform/http/figures.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { giveBackMissedConnections } from './missed-connections.ts'

/** The processes that serve together, as one of them sees them. */
export interface Crew {
  /** Whether this one was there before the others. */
  readonly isFirst: boolean
  readonly gatherFigures: GatherFigures
  /** From now on this process does what the leading one says. */
  readonly join: (duties: Duties) => void
}

export interface Duties {
  readonly figures: () => Promise<Figures>
  readonly stop: () => void
}

/** The crew of this process, unless it serves alone. */
export function findCrew(log: Logger): Crew | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  // A terminal, or whoever supervises the server, sends them to all processes: the leading one
  // passes on what they mean.
  process.on('SIGTERM', () => undefined)
  process.on('SIGINT', () => undefined)
  const asked = new Map<number, (figures: readonly Figures[]) => void>()
  let lastQuestion = 0
  const gatherFigures = async () => {
    const { promise, resolve } = Promise.withResolvers<readonly Figures[]>()
    const question = ++lastQuestion
    asked.set(question, resolve)
    if (!say({ kind: 'gather', question })) resolve([])
    return promise.finally(() => asked.delete(question))
  }
  let duties: Duties | undefined
  let isToStop = false
  const stopOnce = () => {
    if (!isToStop) duties?.stop()
    // One that has yet to open its doors does so first: half a start could not be ended as cleanly.
    isToStop = true
  }
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'gathered') asked.get(message.question)?.(message.figures)
    else if (message.kind === 'tell') void tellFigures(message.question, duties)
    else stopOnce()
  })
  // Or node:cluster would end this process at once when the leading one dies, whatever it is doing.
  worker.exitedAfterDisconnect = true
  process.once('disconnect', () => {
    log.error('the process that leads this one has ended: it finishes what it has begun')
    for (const resolve of asked.values()) resolve([])
    // The doors are the leading one's to open.
    if (!duties) process.exit(1)
    stopOnce()
  })
  giveBackMissedConnections(log)
  say({ kind: 'hearing' })
  const join = (taken: Duties) => {
    duties = taken
    say({ kind: 'ready' })
    if (isToStop) taken.stop()
  }
  return { isFirst: worker.id === 1, gatherFigures, join }
}

async function tellFigures(question: number, duties: Duties | undefined): Promise<void> {
  const figures = (await duties?.figures()) ?? { requests: [], ofProcess: [] }
  say({ kind: 'figures', question, figures })
}

/** False where nobody leads any more. */
function say(message: FromWorker): boolean {
  if (!process.connected) return false
  process.send?.(message, undefined, undefined, () => undefined)
  return true
}
