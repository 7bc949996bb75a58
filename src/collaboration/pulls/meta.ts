import type { Executor } from '../../platform/db/database.ts'
import type { Pull } from './pull.ts'
import { findPulls } from './queries.ts'

/** The pull requests among these issues. */
export async function pullsOfIssues(
  db: Executor,
  issues: readonly { readonly id: number; readonly isPull: boolean }[],
): Promise<ReadonlyMap<number, Pull>> {
  const ids = issues.filter(({ isPull }) => isPull).map(({ id }) => id)
  return findPulls(db, ids)
}
