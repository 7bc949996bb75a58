import type { Config } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/context.ts'
import { isOfFitting, type RepositoryCondition } from '../../repositories/repository/conditions.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { unitKeys, type UnitKey } from '../../platform/units.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isReadableUnit, isVisibleRepository } from '../../repositories/repository/visibility.ts'
import type { ActivityCondition } from './queries.ts'
import type { ActivityKind } from '../../events/activity/record.ts'

/** What each kind of activity tells of; `everybody`: of the repository itself, with no unit. */
const unitOf: Readonly<Record<ActivityKind, UnitKey | 'everybody'>> = {
  create_repo: 'everybody',
  rename_repo: 'everybody',
  transfer_repo: 'everybody',
  commit_repo: 'repo.code',
  push_tag: 'repo.code',
  delete_tag: 'repo.code',
  delete_branch: 'repo.code',
  mirror_sync_push: 'repo.code',
  mirror_sync_create: 'repo.code',
  mirror_sync_delete: 'repo.code',
  create_issue: 'repo.issues',
  comment_issue: 'repo.issues',
  close_issue: 'repo.issues',
  reopen_issue: 'repo.issues',
  create_pull_request: 'repo.pulls',
  comment_pull: 'repo.pulls',
  close_pull_request: 'repo.pulls',
  reopen_pull_request: 'repo.pulls',
  merge_pull_request: 'repo.pulls',
  auto_merge_pull_request: 'repo.pulls',
  approve_pull_request: 'repo.pulls',
  reject_pull_request: 'repo.pulls',
  publish_release: 'repo.releases',
}

const entries = Object.entries(unitOf)
const units = unitKeys.filter((unit) => Object.values(unitOf).includes(unit))
const kindsOf = (unit: UnitKey | 'everybody') =>
  entries.filter(([, its]) => its === unit).map(([kind]) => kind)

/**
 * Leaves out what the caller may not know: titles, comments, commit messages of units they do not
 * read.
 */
export function isReadableIn(view: RepositoryView): ActivityCondition | undefined {
  const read = units.filter((unit) => readsUnit(view, unit))
  if (read.length === units.length) return undefined
  const kinds = [...kindsOf('everybody'), ...read.flatMap(kindsOf)]
  return (eb) => eb('activity.kind', 'in', kinds)
}

/**
 * Like `isReadableIn`, in whatever repository; of those that the caller does not see nothing is
 * left.
 */
export function isReadableAnywhere(config: Config, caller: Caller): ActivityCondition {
  const visible = isVisibleRepository(config, caller)
  const isOf = (fits: RepositoryCondition) => isOfFitting('activity.repository_id', fits)
  return (eb) =>
    eb.or([
      eb.and([eb('activity.kind', 'in', kindsOf('everybody')), isOf(visible)]),
      ...units.map((unit) => {
        const readable = isReadableUnit(config, caller, unit)
        return eb.and([eb('activity.kind', 'in', kindsOf(unit)), isOf(readable)])
      }),
    ])
}
