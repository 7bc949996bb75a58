import { higher, reaches } from '../../platform/access-level.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import type { Units } from './units.ts'
import type { UnitKey } from '../../platform/units.ts'

/**
 * What somebody may do with a repository: overall, and by unit where teams say more about single
 * ones.
 */
export interface Access {
  readonly level: AccessLevel
  readonly units: ReadonlyMap<string, AccessLevel>
}

const noAccess: Access = { level: 'none', units: new Map() }
export const ownerAccess: Access = { level: 'owner', units: new Map() }

/** A unit that is switched off gives nothing to anybody. */
export function unitLevel(access: Access, units: Units, unit: UnitKey): AccessLevel {
  if (!units.has(unit)) return 'none'
  return higher(access.level, access.units.get(unit) ?? 'none')
}

export function hasAnyAccess(access: Access, units: Units): boolean {
  if (reaches(access.level, 'read')) return true
  return [...access.units].some(
    ([unit, level]) => reaches(level, 'read') && units.has(unit as UnitKey),
  )
}

/** What is known of a caller and one repository, before it is made into an `Access`. */
export interface AccessFacts {
  readonly isPublic: boolean
  readonly ownerVisibility: 'public' | 'limited' | 'private'
  readonly isOwner: boolean
  readonly isSiteAdmin: boolean
  readonly isRestricted: boolean
  readonly isAnonymous: boolean
  /** Member of the organization that owns it. */
  readonly isMember: boolean
  readonly requiresSignIn: boolean
  readonly collaboration: AccessLevel
  readonly teams: readonly TeamAccess[]
}

export interface TeamAccess {
  readonly level: AccessLevel
  readonly units: ReadonlyMap<string, AccessLevel>
}

/** The first rule that applies decides; section 0.8 of the contract in code. */
export function accessOf(facts: AccessFacts): Access {
  if (facts.isSiteAdmin || facts.isOwner) return ownerAccess
  if (!isOwnerVisible(facts) && facts.collaboration === 'none') return noAccess
  if (facts.teams.some(({ level }) => reaches(level, 'admin'))) return ownerAccess
  const base = higher(facts.isPublic && readsPublic(facts) ? 'read' : 'none', facts.collaboration)
  return { level: base, units: teamLevels(facts) }
}

function isOwnerVisible(facts: AccessFacts): boolean {
  if (facts.isMember) return true
  if (facts.isAnonymous) return facts.ownerVisibility === 'public'
  return facts.ownerVisibility !== 'private'
}

/** A restricted caller reads what is public to the whole world only. */
function readsPublic({ isRestricted, ownerVisibility, requiresSignIn }: AccessFacts): boolean {
  return !isRestricted || (ownerVisibility === 'public' && !requiresSignIn)
}

function teamLevels({ teams }: AccessFacts): ReadonlyMap<string, AccessLevel> {
  const levels = new Map<string, AccessLevel>()
  for (const team of teams) {
    for (const [unit, level] of team.units)
      levels.set(unit, higher(level, levels.get(unit) ?? 'none'))
  }
  return levels
}
