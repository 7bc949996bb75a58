import cluster from 'node:cluster'
import type { Figures, GatherFigures } from '../http/figures.ts'
import type { FromWorker, ToWorker } from './messages.ts'

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
export function findCrew(): Crew | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  // A terminal, or whoever supervises the server, sends them to all processes: the leading one passes on what they mean.
  process.on('SIGTERM', () => undefined)
  process.on('SIGINT', () => undefined)
  const asked = new Map<number, (figures: readonly Figures[]) => void>()
  let lastQuestion = 0
  const gatherFigures = async () => {
    const { promise, resolve } = Promise.withResolvers<readonly Figures[]>()
    const question = ++lastQuestion
    asked.set(question, resolve)
    say({ kind: 'gather', question })
    return promise.finally(() => asked.delete(question))
  }
  let duties: Duties | undefined
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'gathered') asked.get(message.question)?.(message.figures)
    else if (message.kind === 'tell') void tellFigures(message.question, duties)
    else if (duties) duties.stop()
    // Nothing has begun yet that would have to end.
    else process.exit(0)
  })
  const join = (taken: Duties) => {
    duties = taken
    say({ kind: 'ready' })
  }
  return { isFirst: worker.id === 1, gatherFigures, join }
}

async function tellFigures(question: number, duties: Duties | undefined): Promise<void> {
  const figures = (await duties?.figures()) ?? { requests: [], ofProcess: [] }
  say({ kind: 'figures', question, figures })
}

function say(message: FromWorker): void {
  process.send?.(message)
}
