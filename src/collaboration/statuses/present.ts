import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl } from '../../platform/config/urls.ts'
import { anonymous } from '../../platform/context.ts'
import type { PageOf } from '../../platform/db/page.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { NewStatus } from './create.ts'
import type { CombinedStatusBody, CommitStatusBody, CreateStatusOption } from './schema.ts'
import { combine, type CommitStatus } from './status.ts'

/** Who made it is shown to everybody as to strangers. */
export function presentStatus(
  config: Config,
  view: RepositoryView,
  status: CommitStatus,
): CommitStatusBody {
  return {
    id: status.number,
    status: status.state,
    target_url: status.targetUrl,
    description: status.description,
    url: `${urlOf(config, view)}/statuses/${status.commitId}`,
    context: status.context,
    creator: status.creator ? presentUser(config, anonymous, status.creator) : null,
    created_at: formatTime(status.createdAt),
    updated_at: formatTime(status.updatedAt),
  }
}

/** What the statuses of all contexts come to, with a page of them. */
export interface Combined {
  readonly commitId: string
  readonly lastStates: readonly string[]
  readonly statuses: PageOf<CommitStatus>
}

export function presentCombined(
  config: Config,
  view: RepositoryView,
  { commitId, lastStates, statuses }: Combined,
): CombinedStatusBody {
  const url = `${urlOf(config, view)}/commits/${commitId}`
  const items = statuses.items.map((status) => presentStatus(config, view, status))
  return {
    state: combine(lastStates),
    sha: commitId,
    total_count: statuses.total,
    // The contract's word for "none at all"; a page beyond the end is an empty list.
    statuses: statuses.total === 0 ? null : items,
    repository: presentRepository(config, view),
    commit_url: url,
    url: `${url}/status`,
  }
}

export function readNewStatus(body: Static<typeof CreateStatusOption>): NewStatus {
  return {
    state: body.state,
    context: (body.context ?? '').trim(),
    targetUrl: (body.target_url ?? '').trim(),
    description: (body.description ?? '').trim(),
  }
}

function urlOf(config: Config, { owner, repo }: RepositoryView): string {
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
  return `${apiUrl(config)}/repos/${path}`
}
