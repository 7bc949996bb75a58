import type { Context } from '../../platform/context.ts'
import { commitFiles, type CommitOutcome, type NewCommit } from '../../platform/git/commit-files.ts'
import { releaseGitBytes, reserveGitBytes } from '../pushes/quota.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

/**
 * A commit to one of the git repositories of `repo`. What does not get into git does not count for
 * the quota either.
 */
export async function commitWithin(
  ctx: Context,
  repo: Repository,
  folder: string,
  commit: NewCommit,
): Promise<CommitOutcome> {
  const bytes = bytesIn(commit)
  await reserveGitBytes(ctx, repo, bytes)
  let isWritten = false
  try {
    const outcome = await commitFiles(ctx.git, folder, commit)
    isWritten = outcome.kind === 'written'
    return outcome
  } finally {
    if (!isWritten) await releaseGitBytes(ctx, repo, bytes)
  }
}

function bytesIn({ files }: NewCommit): number {
  return files.reduce(
    (sum, { content }) => (content instanceof Uint8Array ? sum + content.length : sum),
    0,
  )
}
