import type { Executor } from '../db/database.ts'
import { findTimes } from './queries.ts'
import type { TrackedTime } from './tracked-time.ts'

export async function timesById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, TrackedTime>> {
  return findTimes(db, [...new Set(ids)])
}
