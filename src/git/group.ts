import type { ChildProcess } from 'node:child_process'

const PATIENCE_MS = 10_000
const live = new Set<ChildProcess>()

/** Remembers a process that leads a group of its own, so that none outlives the server. */
export function watchGroup(child: ChildProcess): void {
  if (live.size === 0) process.once('exit', killAll)
  live.add(child)
  child.once('close', () => {
    live.delete(child)
    if (live.size === 0) process.off('exit', killAll)
  })
}

/** Ends git and what it has started. It is asked first: then it removes its locks and half a pack. */
export function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  if (!isRunning(child)) return
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE_MS).unref()
  child.once('close', () => clearTimeout(timer))
}

function killAll(): void {
  for (const child of live) signalGroup(child, 'SIGTERM')
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || !isRunning(child)) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It ended by itself in this moment.
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
