import type { Static } from 'typebox'
import { formatTime, UNSET_TIME } from '../time.ts'
import type { TaskState } from './schedule.ts'
import type { CronBody } from './schema.ts'

export function presentTask(task: TaskState): Static<typeof CronBody> {
  return {
    name: task.name,
    schedule: scheduleOf(task),
    next: task.nextAt === undefined ? UNSET_TIME : formatTime(task.nextAt),
    prev: task.startedAt === 0 ? UNSET_TIME : formatTime(task.startedAt),
    exec_times: task.runs,
  }
}

/** As cron has it, where there is a time of day. */
function scheduleOf({ everySeconds, timeOfDay }: TaskState): string {
  if (everySeconds === undefined) return 'on demand'
  if (timeOfDay === undefined) return `@every ${formatDuration(everySeconds)}`
  const [hours, minutes] = timeOfDay.split(':').map(Number)
  return `${minutes} ${hours} * * *`
}

/** As Go writes it, whose clients read it: `1h0m0s`, `1m30s`, `15s`. */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}
