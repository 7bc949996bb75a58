import type { Executor } from '../db/database.ts'
import type { MergedPull } from './pull.ts'
import { findMergedBy } from './queries.ts'

/** The pull requests that were merged by these commits, by the commit. */
export async function pullsMergedBy(
  db: Executor,
  repositoryId: number,
  commitIds: readonly string[],
): Promise<ReadonlyMap<string, MergedPull>> {
  return findMergedBy(db, repositoryId, commitIds)
}
