import { constants } from 'node:os'

/** Somebody has ended a command from outside, and what it had begun is taken back. */
class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly code: string

  constructor(signal: NodeJS.Signals) {
    super('stopped: what was begun is taken back')
    this.code = signal
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Tells `work` when the process is told to end, so that it cleans up behind itself; told twice, it
 * ends at once.
 */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[signal])
    controller.abort(new Stopped(signal))
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
