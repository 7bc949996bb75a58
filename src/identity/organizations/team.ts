import type { AccessLevel, Visibility } from '../../platform/db/columns.ts'
import type { Row } from '../../platform/db/schema.ts'
import { teamUnits, type UnitKey } from '../../platform/units.ts'

/** Units that a team does not have are absent; a unit may be there at the level `none`. */
export type UnitLevels = ReadonlyMap<UnitKey, AccessLevel>

export interface Team {
  readonly id: number
  readonly orgId: number
  readonly name: string
  readonly description: string
  /** For all units alike; `none` while the levels are per unit. */
  readonly access: AccessLevel
  readonly units: UnitLevels
  readonly includesAllRepositories: boolean
  readonly canCreateOrgRepo: boolean
  readonly visibility: Visibility
}

export const OWNERS = 'Owners'

export function toTeam(row: Row<'team'>, units: readonly Row<'team_unit'>[]): Team {
  const levels = new Map(units.map(({ unit, access }) => [unit, access]))
  return {
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    description: row.description,
    access: row.access,
    units: inOrder((unit) => levels.get(unit)),
    includesAllRepositories: row.includes_all_repositories === 1,
    canCreateOrgRepo: row.can_create_org_repo === 1,
    visibility: row.visibility,
  }
}

/** The one team whose members own the organization: nobody can give another team its level. */
export function isOwnersTeam({ access }: Pick<Team, 'access'>): boolean {
  return access === 'owner'
}

/** All units at one level. */
export function everyUnit(level: AccessLevel): UnitLevels {
  return inOrder(() => level)
}

/** The units that `levelOf` has a level for, in the order in which they are shown. */
export function inOrder(levelOf: (unit: UnitKey) => AccessLevel | undefined): UnitLevels {
  const levels = new Map<UnitKey, AccessLevel>()
  for (const unit of teamUnits) {
    const level = levelOf(unit)
    if (level !== undefined) levels.set(unit, level)
  }
  return levels
}
