import type { AccessLevel } from '../../platform/db/columns.ts'
import { AppError } from '../../platform/errors.ts'
import type { UnitKey } from '../../platform/units.ts'
import { everyUnit, inOrder, type Team, type UnitLevels } from './team.ts'

/** The rights of a team as clients write them; words that mean nothing are accepted. */
export interface WantedRights {
  readonly permission?: string | undefined
  /**
   * Whether `permission` ends that levels differ by unit: clients of the API mean the units that a
   * team has.
   */
  readonly isForAll?: boolean | undefined
  readonly units?: readonly string[] | undefined
  /** Wins over `units`: some clients always send both. */
  readonly unitsMap?: Readonly<Record<string, string>> | undefined
}

export type Rights = Pick<Team, 'access' | 'units'>

const levels: readonly AccessLevel[] = ['none', 'read', 'write', 'admin', 'owner']

export function newRights(wanted: WantedRights): Rights {
  const level = readPermission(wanted.permission)
  const rights = wholeOrMapped(wanted, level)
  if (rights) return rights
  if (wanted.units?.length) return perUnit(listed(wanted.units, () => level ?? 'none'))
  if (level) return { access: level, units: everyUnit(level) }
  if (wanted.permission) return perUnit(new Map())
  throw new AppError('bad_request', 'permission or units are required', { reason: 'level_missing' })
}

/**
 * The rights of `team` after an edit. What the edit does not speak of stays: the units, or their
 * levels.
 */
export function editedRights(team: Rights, wanted: WantedRights): Rights {
  const level = readPermission(wanted.permission)
  const rights = wholeOrMapped(wanted, level)
  if (rights) return rights
  if (wanted.units?.length) {
    return perUnit(listed(wanted.units, (unit) => level ?? team.units.get(unit) ?? 'none'))
  }
  if (!level) return team
  if (team.access !== 'none' || wanted.isForAll) return { access: level, units: everyUnit(level) }
  return perUnit(inOrder((unit) => (team.units.has(unit) ? level : undefined)))
}

/** An administrating team has every unit, whatever else is asked for. */
function wholeOrMapped(
  { unitsMap }: WantedRights,
  level: AccessLevel | undefined,
): Rights | undefined {
  if (level === 'admin') return { access: 'admin', units: everyUnit('admin') }
  if (!unitsMap || Object.keys(unitsMap).length === 0) return undefined
  return perUnit(
    inOrder((unit) => (Object.hasOwn(unitsMap, unit) ? readLevel(unitsMap[unit]) : undefined)),
  )
}

function perUnit(units: UnitLevels): Rights {
  return { access: 'none', units }
}

function listed(names: readonly string[], levelOf: (unit: UnitKey) => AccessLevel): UnitLevels {
  return inOrder((unit) => (names.includes(unit) ? levelOf(unit) : undefined))
}

/** `owner` is nobody's to give, and clients send back the `none` that they have read. */
function readPermission(word: string | undefined): AccessLevel | undefined {
  return word === 'read' || word === 'write' || word === 'admin' ? word : undefined
}

function readLevel(word: string | undefined): AccessLevel {
  return levels.find((level) => level === word) ?? 'none'
}
