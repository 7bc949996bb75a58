import type { Static } from 'typebox'
import { formatTime, UNSET_TIME } from '../time.ts'
import type { TaskState } from './schedule.ts'
import type { CronBody } from './schema.ts'

export function presentTask(task: TaskState): Static<typeof CronBody> {
  return {
    name: task.name,
    schedule:
      task.everySeconds === undefined ? 'on demand' : `@every ${formatDuration(task.everySeconds)}`,
    next: task.nextAt === undefined ? UNSET_TIME : formatTime(task.nextAt),
    prev: task.startedAt === 0 ? UNSET_TIME : formatTime(task.startedAt),
    exec_times: task.runs,
  }
}

/** As Go writes it, whose clients read it: `1h0m0s`, `1m30s`, `15s`. */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}
