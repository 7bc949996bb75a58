import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Context } from '../context.ts'

const RESOLUTION_MS = 50
const NANOSECONDS = 1_000_000

export interface LoopLimits {
  readonly everyMs: number
  readonly limitMs: number
}

const usual: LoopLimits = { everyMs: 10_000, limitMs: 200 }

/** While one piece of work holds the event loop, nobody is answered: that should never last, and is told when it does. */
export function watchLoop(log: Context['log'], { everyMs, limitMs } = usual): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const timer = setInterval(() => {
    const ms = Math.round(delays.max / NANOSECONDS) - RESOLUTION_MS
    delays.reset()
    if (ms > limitMs) log.warn({ ms }, 'the event loop was held up')
  }, everyMs).unref()
  return () => {
    clearInterval(timer)
    delays.disable()
  }
}
