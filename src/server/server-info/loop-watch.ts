import type { Context } from '../../platform/context.ts'

const TICK_MS = 50

interface LoopLimits {
  readonly everyMs: number
  readonly limitMs: number
}

const usual: LoopLimits = { everyMs: 10_000, limitMs: 200 }

/**
 * While one piece of work holds the event loop, nobody is answered: that should never last, and is
 * told when it does.
 */
export function watchLoop(log: Context['log'], { everyMs, limitMs } = usual): () => void {
  let lastTick = performance.now()
  let lastLook = lastTick
  let longest = 0
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - lastTick - TICK_MS)
    lastTick = now
    if (now - lastLook < everyMs) return
    if (longest > limitMs) log.warn({ ms: Math.round(longest) }, 'the event loop was held up')
    lastLook = now
    longest = 0
  }
  const timer = setInterval(tick, TICK_MS).unref()
  return () => clearInterval(timer)
}
