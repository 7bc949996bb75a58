import type { Executor } from '../db/database.ts'
import type { Row } from '../db/schema.ts'
import { statementForIds, statementForRows } from '../db/statement.ts'
import { unitKeys, Units, type UnitKey } from './units.ts'

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

const unitsOf = statementForIds<Row<'repository_unit'>>(
  'SELECT * FROM repository_unit WHERE repository_id IN (*)',
)

export async function findUnits(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Units>> {
  const rows = await unitsOf(db, ids)
  const byRepository = Map.groupBy(rows, ({ repository_id: id }) => id)
  return new Map(ids.map((id) => [id, toUnits(byRepository.get(id) ?? [])]))
}

function toUnits(rows: readonly Row<'repository_unit'>[]): Units {
  const settings = new Map(
    rows.map(({ unit, settings: text }) => [unit, JSON.parse(text) as unknown]),
  )
  return new Units(
    new Map(
      unitKeys.filter((unit) => settings.has(unit)).map((unit) => [unit, settings.get(unit)]),
    ),
  )
}
