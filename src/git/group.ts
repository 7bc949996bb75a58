import type { LaunchedProcess } from './launcher.ts'

const PATIENCE_MS = 10_000

/** Ends git and what it has started. It is asked first: then it removes its locks and half a pack. */
export function endGroup(leader: LaunchedProcess): void {
  if (!leader.isRunning()) return
  leader.kill('SIGTERM')
  const timer = setTimeout(() => leader.kill('SIGKILL'), PATIENCE_MS).unref()
  void leader.ended.then(() => clearTimeout(timer))
}
