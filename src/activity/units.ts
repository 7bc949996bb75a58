import type { Config } from '../config/config.ts'
import type { Caller } from '../context.ts'
import { isOfFitting, type RepositoryCondition } from '../repositories/conditions.ts'
import { readsUnit } from '../repositories/load.ts'
import type { UnitKey } from '../repositories/units.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { isReadableUnit, isVisibleRepository } from '../repositories/visibility.ts'
import type { ActivityCondition } from './queries.ts'

/** What each kind of activity tells of; kinds of the repository itself are not among them. */
const kindsByUnit: Partial<Record<UnitKey, readonly string[]>> = {
  'repo.code': [
    'commit_repo',
    'push_tag',
    'delete_tag',
    'delete_branch',
    'mirror_sync_push',
    'mirror_sync_create',
    'mirror_sync_delete',
  ],
  'repo.issues': ['create_issue', 'comment_issue', 'close_issue', 'reopen_issue'],
  'repo.pulls': [
    'create_pull_request',
    'comment_pull',
    'close_pull_request',
    'reopen_pull_request',
    'merge_pull_request',
    'auto_merge_pull_request',
    'approve_pull_request',
    'reject_pull_request',
  ],
  'repo.releases': ['publish_release'],
}

const units = Object.entries(kindsByUnit) as [UnitKey, readonly string[]][]
const ofUnits = units.flatMap(([, kinds]) => kinds)

/** Leaves out what the caller may not know: titles, comments, commit messages of units they do not read. */
export function isReadableIn(view: RepositoryView): ActivityCondition | undefined {
  const hidden = units.flatMap(([unit, kinds]) => (readsUnit(view, unit) ? [] : kinds))
  return hidden.length === 0 ? undefined : (eb) => eb('activity.kind', 'not in', hidden)
}

/** Like `isReadableIn`, in whatever repository; of those that the caller does not see nothing is left. */
export function isReadableAnywhere(config: Config, caller: Caller): ActivityCondition {
  const visible = isVisibleRepository(config, caller)
  const isOf = (fits: RepositoryCondition) => isOfFitting('activity.repository_id', fits)
  return (eb) =>
    eb.or([
      eb.and([eb('activity.kind', 'not in', ofUnits), isOf(visible)]),
      ...units.map(([unit, kinds]) => {
        const readable = isReadableUnit(config, caller, unit)
        return eb.and([eb('activity.kind', 'in', kinds), isOf(readable)])
      }),
    ])
}
