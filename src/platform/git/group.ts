import type { LaunchedProcess } from './launcher.ts'
import { GitError, type Git } from './run.ts'

const PATIENCE_MS = 10_000

/**
 * Ends git and what it has started. It is asked first: then it removes its locks and half a pack.
 */
export function endGroup(leader: LaunchedProcess): void {
  if (!leader.isRunning()) return
  leader.kill('SIGTERM')
  const timer = setTimeout(() => leader.kill('SIGKILL'), PATIENCE_MS).unref()
  void leader.ended.then(() => clearTimeout(timer))
}

/**
 * Like `endGroup`, for git that has half of a push: only what it has started knows nothing of
 * that, and is in its way.
 */
export function endBelow(leader: LaunchedProcess): void {
  if (!leader.isRunning()) return
  leader.endBelow()
  const timer = setTimeout(() => endGroup(leader), PATIENCE_MS).unref()
  void leader.ended.then(() => clearTimeout(timer))
}

/**
 * Has `end` called with the signal, also when that came while the group was started, and when the
 * time is over.
 */
export function endGroupWith(
  { ended }: LaunchedProcess,
  { signal, timeLimitMs }: GroupLimits,
  end: (reason: string) => void,
): void {
  const leave = () => end('fatal: nobody waits for it')
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  const late = setTimeout(() => end('fatal: it took too long'), timeLimitMs)
  void ended.then(() => {
    clearTimeout(late)
    signal.removeEventListener('abort', leave)
  })
}

export interface GroupLimits {
  readonly signal: AbortSignal
  readonly timeLimitMs: number
}

/**
 * Git that starts others to do its work, to its end: none of them outlives the signal or the time.
 */
export async function runGroup(
  git: Git,
  folder: string,
  parameters: readonly string[],
  limits: GroupLimits,
): Promise<void> {
  const leader = await git.start(folder, parameters, leads(limits))
  endGroupWith(leader, limits, () => endGroup(leader))
  leader.stdout.resume()
  const { code, complaint } = await leader.ended
  limits.signal.throwIfAborted()
  if (code !== 0) throw new GitError(parameters[0] ?? '', code, complaint)
}

/**
 * How the leader is started: ours comes before its own limit, and ends what git has started too.
 */
export function leads({ timeLimitMs }: GroupLimits) {
  return { leader: true, timeLimitMs: timeLimitMs * 2 }
}
