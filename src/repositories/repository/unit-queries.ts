import type { Executor } from '../../platform/db/database.ts'
import { statementForIds, statementForRows } from '../../platform/db/statement.ts'
import { Units } from './units.ts'
import { unitKeys, type UnitKey } from '../../platform/units.ts'

const insertUnitRows = statementForRows<never>(
  'INSERT INTO repository_unit (repository_id, unit, settings) VALUES (*)',
  '(?, ?, ?)',
)

export async function insertUnits(db: Executor, repositoryId: number, units: Units): Promise<void> {
  const rows = [...units.entries()].map(([unit, settings]) => [
    repositoryId,
    unit,
    JSON.stringify(settings),
  ])
  if (rows.length > 0) await insertUnitRows(db, rows)
}

/** Switches a unit on with these settings, or changes them. */
export async function upsertUnit(
  db: Executor,
  repositoryId: number,
  unit: UnitKey,
  settings: object,
): Promise<void> {
  const text = JSON.stringify(settings)
  await db
    .insertInto('repository_unit')
    .values({ repository_id: repositoryId, unit, settings: text })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'unit']).doUpdateSet({ settings: text }),
    )
    .execute()
}

export async function deleteUnits(
  db: Executor,
  repositoryId: number,
  units: readonly UnitKey[],
): Promise<void> {
  if (units.length === 0) return
  await db
    .deleteFrom('repository_unit')
    .where('repository_id', '=', repositoryId)
    .where('unit', 'in', units)
    .execute()
}

/** One row for each repository, with a line for each of its units. */
const unitsOf = statementForIds<{ readonly repository_id: number; readonly lines: string }>(`
  SELECT repository_id, string_agg(unit || ' ' || settings, '\n') AS lines
  FROM repository_unit
  WHERE repository_id IN (*)
  GROUP BY repository_id`)

const noUnits = new Units(new Map())

export async function findUnits(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Units>> {
  const rows = await unitsOf(db, ids)
  const found = new Map(rows.map((row) => [row.repository_id, unitsIn(row.lines)]))
  return new Map(ids.map((id) => [id, found.get(id) ?? noUnits]))
}

const MAX_KNOWN = 500

/** Most repositories have the same units, as set up when they were made. */
const known = new Map<string, Units>()

function unitsIn(lines: string): Units {
  const kept = known.get(lines)
  if (kept) return kept
  const units = readUnits(lines)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(lines, units)
  return units
}

function readUnits(lines: string): Units {
  const settings = new Map(lines.split('\n').map(readUnit))
  return new Units(
    new Map(
      unitKeys.filter((unit) => settings.has(unit)).map((unit) => [unit, settings.get(unit)]),
    ),
  )
}

function readUnit(line: string): [string, unknown] {
  const space = line.indexOf(' ')
  return [line.slice(0, space), Object.freeze(JSON.parse(line.slice(space + 1)))]
}
