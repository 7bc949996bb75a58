import type { Executor } from '../../platform/db/database.ts'
import type { MergedPull } from './pull.ts'
import { findMergedAmong } from './queries.ts'

/** The merged pull requests whose merge commit or head is one of these commits, newest first. */
export async function pullsMergedAmong(
  db: Executor,
  repositoryId: number,
  commitIds: readonly string[],
): Promise<readonly MergedPull[]> {
  return findMergedAmong(db, repositoryId, commitIds)
}
