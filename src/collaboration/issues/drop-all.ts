import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Executor } from '../../platform/db/database.ts'
import type { PartOfRepositories } from '../../repositories/repository/part.ts'
import { deleteSomeOf } from './queries.ts'

const AT_ONCE = 200

/**
 * All of a repository that goes. SQLite answers nobody while it deletes, and would take ten seconds
 * for a hundred thousand at once.
 */
async function dropIssuesOf(tx: Executor, repositoryId: number): Promise<void> {
  while ((await deleteSomeOf(tx, repositoryId, AT_ONCE)) === AT_ONCE) await nextTurn()
}

export const issuesOfRepositories: PartOfRepositories = { drop: dropIssuesOf }
