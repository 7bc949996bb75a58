import { higher } from '../../platform/access-level.ts'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import type { Team } from './team.ts'

/** What somebody is in an organization, by their teams: who is in none is no member. */
export interface Standing {
  readonly teamIds: ReadonlySet<number>
  /** The highest level that a team has for all units. */
  readonly level: AccessLevel
  readonly canCreateRepositories: boolean
}

export const stranger: Standing = {
  teamIds: new Set(),
  level: 'none',
  canCreateRepositories: false,
}

export function highest(levels: readonly AccessLevel[]): AccessLevel {
  return levels.reduce((best, level) => higher(level, best), 'none')
}

export function isMember({ teamIds }: Standing): boolean {
  return teamIds.size > 0
}

/** Sees what members see. */
export function canSeeMembers(caller: Caller, standing: Standing): boolean {
  return isMember(standing) || isSiteAdmin(caller)
}

export function canAdminister(caller: Caller, { level }: Standing): boolean {
  return level === 'owner' || isSiteAdmin(caller)
}

/** For callers who see the organization. */
export function canReadTeam(caller: Caller, standing: Standing, team: Team): boolean {
  if (team.visibility === 'public' || standing.teamIds.has(team.id)) return true
  if (canAdminister(caller, standing)) return true
  return team.visibility === 'limited' && isMember(standing)
}
