import { sql, type ExpressionBuilder } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Caller } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'
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
  return (eb) =>
    eb.or([
      eb.and([eb('activity.kind', 'not in', ofUnits), isOfReadable(eb, visible)]),
      ...units.map(([unit, kinds]) => {
        const readable = isReadableUnit(config, caller, unit)
        return eb.and([eb('activity.kind', 'in', kinds), isOfReadable(eb, readable)])
      }),
    ])
}

/**
 * Asked for each entry that is looked at: as `IN` or `EXISTS`, all repositories might be gone through first. The owner is
 * not looked at: `reach` says what its visibility means.
 */
function isOfReadable(eb: ExpressionBuilder<Schema, 'activity'>, fits: RepositoryCondition) {
  const readable = eb
    .selectFrom('repository')
    .select(sql<number>`1`.as('one'))
    .whereRef('repository.id', '=', 'activity.repository_id')
    .where((inner) => fits(inner as never))
  // PostgreSQL takes this to be so of nearly all, and walks the index; `= 1` it would take to be rare, and sort.
  return eb(readable, 'is not', null)
}
