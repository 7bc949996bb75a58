import { readFile } from 'node:fs/promises'
import type { Exceeded, ProcessLimits } from './launch-orders.ts'

const LOOK_EVERY_MS = 250
/** Whoever started what was ended has this long to say so, and to tidy up. */
const GRACE_MS = 5_000
/** Of the clock in which the system counts the time of processors. */
const TICKS_PER_SECOND = 100

interface Taken {
  readonly pid: number
  /** Of what lies in memory and in no file. */
  readonly bytes: number
  readonly ticks: number
  /** Whether it speaks with another server. */
  readonly isHelper: boolean
}

interface Watched {
  readonly pid: number
  readonly limits: ProcessLimits
  readonly isRunning: () => boolean
  /** Ends the process with all that it has started. */
  readonly end: () => void
  readonly tell: (exceeded: Exceeded) => void
}

/**
 * Ends what takes more than it may. Those that it has started go first, so that it can still say
 * what has become of them. Where the system has no /proc, nothing is limited.
 */
export function watchProcess(watched: Watched): void {
  const look = async () => {
    if (!watched.isRunning()) return
    const taken = await takenBy(watched.pid)
    const exceeded = exceededBy(watched, taken)
    if (exceeded === undefined) return later(LOOK_EVERY_MS)
    watched.tell(exceeded)
    await endBelow(watched.pid)
    setTimeout(() => watched.isRunning() && watched.end(), taken.length > 1 ? GRACE_MS : 0).unref()
  }
  const later = (ms: number) => void setTimeout(() => void look(), ms).unref()
  later(LOOK_EVERY_MS)
}

/** Ends at once what a process has started. */
export async function endBelow(leader: number | undefined): Promise<void> {
  if (leader === undefined) return
  for (const { pid } of await takenBy(leader)) if (pid !== leader) endOne(pid)
}

function exceededBy({ pid, limits }: Watched, taken: readonly Taken[]): Exceeded | undefined {
  const { memoryBytes, talkBytes = 0, cpuSeconds = 0 } = limits
  const sum = (count: (one: Taken) => number) => taken.reduce((all, one) => all + count(one), 0)
  const talks = (one: Taken) => one.pid === pid || one.isHelper
  if (memoryBytes > 0 && sum(({ bytes }) => bytes) > memoryBytes) return 'memory'
  if (talkBytes > 0 && sum((one) => (talks(one) ? one.bytes : 0)) > talkBytes) return 'memory'
  if (cpuSeconds > 0 && sum(({ ticks }) => ticks) > cpuSeconds * TICKS_PER_SECOND) return 'time'
  return undefined
}

/** The process, and all below it. */
async function takenBy(pid: number): Promise<readonly Taken[]> {
  const folder = `/proc/${pid}`
  const read = (name: string) => readFile(`${folder}/${name}`, 'utf8').catch(() => '')
  const [status, stat, children] = await Promise.all([
    read('status'),
    read('stat'),
    read(`task/${pid}/children`),
  ])
  const below = children.split(' ').filter((child) => /^\d+$/.test(child))
  const own = { pid, bytes: bytesIn(status), ticks: ticksIn(stat), isHelper: isHelper(status) }
  return [own, ...(await Promise.all(below.map((child) => takenBy(Number(child))))).flat()]
}

function bytesIn(status: string): number {
  const lines = status.matchAll(/^(?:RssAnon|VmSwap):\s+(\d+) kB$/gm)
  return [...lines].reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0)
}

/**
 * Its own time, and that of those it has waited for; the name before them may have spaces and
 * parentheses.
 */
function ticksIn(stat: string): number {
  const numbers = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return numbers.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

function isHelper(status: string): boolean {
  return /^Name:\tgit-remote-/m.test(status)
}

function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in this moment.
  }
}
