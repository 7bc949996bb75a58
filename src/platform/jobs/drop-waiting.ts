import type { Executor } from '../db/database.ts'
import type { LaneName } from './queue.ts'
import { deleteLanes } from './queries.ts'

/** Forgets what waits in these lanes, and gives how many jobs that were. */
export async function dropWaiting(db: Executor, lanes: readonly LaneName[]): Promise<number> {
  return deleteLanes(db, lanes)
}
