import type { AccessLevel } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { TeamAccess } from './access.ts'
import {
  findCollaborations,
  findMemberships,
  findTeamAccess,
  type TeamAccessRow,
} from './relation-queries.ts'
import type { Repository } from './repository.ts'

/** What ties somebody to repositories that are not their own. */
export interface Relations {
  readonly collaborations: ReadonlyMap<number, AccessLevel>
  readonly teams: ReadonlyMap<number, readonly TeamAccess[]>
  /** Of the organizations that own them. */
  readonly memberships: ReadonlySet<number>
}

export const noRelations: Relations = {
  collaborations: new Map(),
  teams: new Map(),
  memberships: new Set(),
}

/** For any number of repositories and accounts, by account. */
export async function findRelations(
  db: Executor,
  repos: readonly Pick<Repository, 'id' | 'ownerId'>[],
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, Relations>> {
  if (repos.length === 0 || accountIds.length === 0) return new Map()
  const ids = repos.map(({ id }) => id)
  const ownerIds = repos.map(({ ownerId }) => ownerId)
  const collaborations = byAccount(await findCollaborations(db, ids, accountIds))
  const teams = byAccount(await findTeamAccess(db, ids, accountIds))
  const memberships = byAccount(await findMemberships(db, ownerIds, accountIds))
  const relationsOf = (id: number): Relations => ({
    collaborations: new Map(collaborations(id).map((row) => [row.repositoryId, row.level])),
    teams: groupTeams(teams(id)),
    memberships: new Set(memberships(id).map(({ orgId }) => orgId)),
  })
  return new Map(accountIds.map((id) => [id, relationsOf(id)]))
}

function byAccount<T extends { readonly accountId: number }>(rows: readonly T[]) {
  const grouped = Map.groupBy(rows, ({ accountId }) => accountId)
  return (accountId: number): readonly T[] => grouped.get(accountId) ?? []
}

function groupTeams(rows: readonly TeamAccessRow[]): ReadonlyMap<number, readonly TeamAccess[]> {
  const byRepository = Map.groupBy(rows, ({ repositoryId }) => repositoryId)
  return new Map([...byRepository].map(([id, ofRepository]) => [id, toTeams(ofRepository)]))
}

function toTeams(rows: readonly TeamAccessRow[]): readonly TeamAccess[] {
  return [...Map.groupBy(rows, ({ teamId }) => teamId).values()].map((ofTeam) => ({
    level: ofTeam[0]?.level ?? 'none',
    units: new Map(
      ofTeam.flatMap(({ unit, unitLevel }) => (unit && unitLevel ? [[unit, unitLevel]] : [])),
    ),
  }))
}
