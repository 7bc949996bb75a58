import type { Executor } from '../../platform/db/database.ts'
import { findPeopleWithAccess, findTeamsWithAccess, type Owned } from './people-queries.ts'
import { findBranchRules, insertBranchRules } from './queries.ts'
import type { Allowlist, BranchSettings } from './rule.ts'

/**
 * The rules of one repository for another, with those people and teams alone who have access to it.
 */
export async function copyBranchRules(
  tx: Executor,
  fromId: number,
  to: Owned,
  now: number,
): Promise<void> {
  const rules = await findBranchRules(tx, fromId)
  const lists = rules.flatMap(({ settings }) => Object.values(settings.lists))
  const accountIds = [...new Set(lists.flatMap((list) => list.accountIds))]
  const teamIds = [...new Set(lists.flatMap((list) => list.teamIds))]
  const people = idsOf(await findPeopleWithAccess(tx, to, accountIds))
  const teams = idsOf(await findTeamsWithAccess(tx, to, teamIds))
  const rows = rules.map(({ name, priority, settings }) => ({
    repository_id: to.id,
    name,
    priority,
    settings: JSON.stringify(reduce(settings, people, teams)),
    created_at: now,
    updated_at: now,
  }))
  await insertBranchRules(tx, rows)
}

function reduce(
  settings: BranchSettings,
  people: ReadonlySet<number>,
  teams: ReadonlySet<number>,
): BranchSettings {
  const keep = (list: Allowlist): Allowlist => ({
    ...list,
    accountIds: list.accountIds.filter((id) => people.has(id)),
    teamIds: list.teamIds.filter((id) => teams.has(id)),
  })
  const { push, forcePush, merge, bypass, approvals } = settings.lists
  return {
    ...settings,
    lists: {
      push: keep(push),
      forcePush: keep(forcePush),
      merge: keep(merge),
      bypass: keep(bypass),
      approvals: keep(approvals),
    },
  }
}

function idsOf(found: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(found.map(({ id }) => id))
}
