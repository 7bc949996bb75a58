import type { Config } from '../../platform/config/config.ts'
import { invalidField } from '../../platform/errors.ts'
import type { WantedRights } from '../../identity/organizations/rights.ts'
import type { Team } from '../../identity/organizations/team.ts'
import { teamUnits, unitFacts, type UnitKey } from '../../platform/units.ts'
import { isUnitAvailable } from '../../repositories/repository/units.ts'
import { formOfValues, type Choice, type FormFields } from '../forms/fields.ts'
import type { Explanations } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'

/** What the choice of one level for all is called while each unit has its own. */
const BY_UNIT = ''

const levels: readonly Choice[] = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'admin', label: 'Administer' },
  { value: BY_UNIT, label: 'Differs by unit' },
]

const unitLevels: readonly Choice[] = [
  { value: 'none', label: 'Nothing' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
]

export const rightsProblems: Explanations = {
  level_missing: {
    field: 'permission',
    message: 'Choose one level for all units, or one for each.',
  },
}

/** What a team may do: one level for all units, or one for each of those that this server has. */
export function renderLevels(config: Config, fields: FormFields, team?: Team): Html {
  const units = teamUnits.filter((unit) => isUnitAvailable(config, unit))
  const select = (unit: UnitKey) =>
    fields.select(fieldOf(unit), unitFacts[unit].label, offeredFor(unit, team))
  return html`
${fields.select('permission', 'What they may do', levels)}
<fieldset class="unit-levels"><legend>Where it differs by unit</legend>
${units.map(select)}
</fieldset>`
}

/** Other programs may have given a unit more, which is not offered otherwise. */
function offeredFor(unit: UnitKey, team: Team | undefined): readonly Choice[] {
  const level = team?.units.get(unit)
  if (level !== 'admin' && level !== 'owner') return unitLevels
  return [...unitLevels, { value: level, label: 'Administer' }]
}

export function formOfLevels({ access, units }: Team): URLSearchParams {
  const ofUnits = teamUnits.map((unit) => [fieldOf(unit), units.get(unit) ?? 'none'])
  return formOfValues({
    permission: access === 'none' ? BY_UNIT : access,
    ...Object.fromEntries(ofUnits),
  })
}

/** What the form says nothing of stays as it is. */
export function readLevels(form: URLSearchParams, team?: Team): WantedRights {
  const permission = form.get('permission') ?? BY_UNIT
  assertOffered(permission, levels, 'permission')
  if (permission !== BY_UNIT) return { permission, isForAll: true }
  const map = new Map<string, string>()
  for (const unit of teamUnits) {
    const level = form.get(fieldOf(unit))
    if (level !== null) assertOffered(level, offeredFor(unit, team), fieldOf(unit))
    const wanted = level ?? team?.units.get(unit)
    if (wanted !== undefined) map.set(unit, wanted)
  }
  const isChosen = teamUnits.some((unit) => form.has(fieldOf(unit)))
  return isChosen ? { unitsMap: Object.fromEntries(map) } : {}
}

function assertOffered(value: string, offered: readonly Choice[], field: string): void {
  if (!offered.some((choice) => choice.value === value)) throw invalidField(field, 'In')
}

/** `repo.code` is unit_code in the form. */
function fieldOf(unit: UnitKey): string {
  return unit.replace('repo.', 'unit_')
}
