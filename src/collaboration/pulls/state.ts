import type { Executor } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import type { Pull } from './pull.ts'
import { findPull, findPullOfPair } from './queries.ts'

/** A merged one is closed for good; of two for the same branches one is open. */
export async function assertPullState(
  tx: Executor,
  issue: Pick<Issue, 'id' | 'isClosed'>,
  isClosed: boolean,
): Promise<void> {
  const pull = await findPull(tx, issue.id)
  if (!pull) return
  if (pull.isMerged) {
    throw new AppError(
      'precondition_failed',
      'cannot change state of this pull request, it was already merged',
    )
  }
  if (issue.isClosed && !isClosed) await assertOnlyOne(tx, pull)
}

export async function assertOnlyOne(
  tx: Executor,
  wanted: Pick<Pull, 'issueId' | 'repositoryId' | 'baseBranch' | 'headRepositoryId' | 'headBranch'>,
): Promise<void> {
  const { headRepositoryId = 0 } = wanted
  const other = await findPullOfPair(tx, { ...wanted, headRepositoryId }, { onlyOpen: true })
  if (other && other.issueId !== wanted.issueId) throw alreadyOpen(other)
}

function alreadyOpen(pull: Pull): AppError {
  const { id, issueId, headRepositoryId = 0, repositoryId, headBranch, baseBranch } = pull
  return new AppError(
    'conflict',
    `pull request already exists for these targets [id: ${id}, issue_id: ${issueId}, head_repo_id: ${headRepositoryId}, base_repo_id: ${repositoryId}, head_branch: ${headBranch}, base_branch: ${baseBranch}]`,
  )
}
