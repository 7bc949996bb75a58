import type { Executor } from '../../platform/db/database.ts'
import type { Issue } from '../issues/issue.ts'
import { rulesOf } from '../../code/protection/enforce.ts'
import { votesOn } from '../reviews/verdict.ts'
import type { FoundPull } from './load.ts'
import { findPull } from './queries.ts'

/** What a merge was allowed by, as one text: another one has to be asked for anew. */
export async function standingOf(db: Executor, { issue, pull }: FoundPull): Promise<string> {
  return JSON.stringify([
    [pull.baseBranch, pull.headCommitId, pull.isMerged, issue.isClosed, issue.title],
    await votesOn(db, issue.id),
    await rulesOf(db, issue.repositoryId),
  ])
}

/** In the transaction that decides, which holds the issue. */
export async function isAsAllowed(tx: Executor, issue: Issue, standing: string): Promise<boolean> {
  const pull = await findPull(tx, issue.id)
  return pull !== undefined && (await standingOf(tx, { issue, pull })) === standing
}

/** Somebody has changed the pull request, its reviews or the rules since the merge was allowed. */
export class Outrun extends Error {
  override readonly name = 'Outrun'
}
