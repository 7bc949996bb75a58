import type { Config } from '../../platform/config/config.ts'
import { apiUrl, baseUrl } from '../../platform/config/urls.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime, UNSET_TIME } from '../../platform/time.ts'
import type { Run, Schedule } from './queries.ts'
import type { RunBody, ScheduleBody } from './schema.ts'

export function presentSchedule(schedule: Schedule): ScheduleBody {
  return {
    id: schedule.id,
    name: schedule.title,
    path: schedule.workflow,
    cron: schedule.cron,
    head_branch: schedule.branch,
    head_sha: schedule.commit_id,
    next_run_at: formatTime(schedule.next_at),
    last_run_at: schedule.last_at === 0 ? null : formatTime(schedule.last_at),
    created_at: formatTime(schedule.created_at),
  }
}

/** No run begins before there is a runner, so none has ended either. */
export function presentRun(config: Config, { owner, repo }: RepositoryView, run: Run): RunBody {
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
  return {
    id: run.id,
    url: `${apiUrl(config)}/repos/${path}/actions/runs/${run.id}`,
    html_url: `${baseUrl(config)}/${path}/actions/runs/${run.number}`,
    display_title: run.title,
    path: `${run.workflow}@refs/heads/${run.branch}`,
    event: run.event,
    run_attempt: 1,
    run_number: run.number,
    head_sha: run.commit_id,
    head_branch: run.branch,
    status: run.state,
    conclusion: null,
    created_at: formatTime(run.created_at),
    started_at: UNSET_TIME,
    completed_at: UNSET_TIME,
  }
}
