import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { CheckState } from '../../platform/check-state.ts'
import { checksBySubject } from './examine.ts'
import { listResultRows, upsertResult } from './result-queries.ts'

/** Who looks after a server mends these and looks again. */
export const MAX_KEPT = 100

export async function keepResult(
  db: Executor,
  name: string,
  found: readonly string[],
  now: number,
): Promise<void> {
  await upsertResult(db, {
    name,
    ran_at: now,
    found_count: found.length,
    found: JSON.stringify(found.slice(0, MAX_KEPT)),
  })
}

/** Of all checks that there are, in their order. */
export async function listCheckStates({ db, config }: Context): Promise<readonly CheckState[]> {
  const rows = new Map((await listResultRows(db)).map((row) => [row.name, row]))
  return Object.values(checksBySubject(config))
    .flat()
    .map(({ name }) => {
      const row = rows.get(name)
      return {
        name,
        ranAt: row?.ran_at ?? 0,
        foundCount: row?.found_count ?? 0,
        found: JSON.parse(row?.found ?? '[]') as string[],
      }
    })
}
