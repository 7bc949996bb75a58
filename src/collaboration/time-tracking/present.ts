import { formatTime } from '../../platform/time.ts'
import type { IssueBody } from '../issues/schema.ts'
import type { TrackedTimeBody } from './schema.ts'
import { describeSeconds, type Stopwatch, type TrackedTime } from './tracked-time.ts'

export function presentTime(time: TrackedTime, issue: IssueBody | null): TrackedTimeBody {
  return {
    id: time.id,
    created: formatTime(time.createdAt),
    time: time.seconds,
    user_id: time.accountId,
    user_name: time.accountName,
    issue_id: time.issueId,
    issue,
  }
}

export function presentStopwatch(stopwatch: Stopwatch, now: number) {
  const seconds = Math.max(0, now - stopwatch.startedAt)
  return {
    created: formatTime(stopwatch.startedAt),
    seconds,
    duration: describeSeconds(seconds),
    issue_index: stopwatch.issueNumber,
    issue_title: stopwatch.issueTitle,
    repo_owner_name: stopwatch.ownerName,
    repo_name: stopwatch.repositoryName,
  }
}
