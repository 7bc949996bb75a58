import { findAuthors } from '../../code/commits/authors.ts'
import { readingCode } from '../../code/commits/code.ts'
import type { Context } from '../../platform/context.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { findBringingCommit } from '../../platform/git/bringing-commit.ts'
import { readCommit } from '../../platform/git/history.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { checkCommits } from './check.ts'
import type { FoundPull } from './load.ts'
import { markMerged } from './mark-merged.ts'
import { hasNothingToMerge, type Pull } from './pull.ts'

/**
 * All that the head has is in the base: somebody has merged it by hand, or pushed it. Where the
 * repository notices that, it is merged by the commit that brought it. False where it is not, or
 * somebody else has said so. `before` is what was recorded before this was known.
 */
export async function acceptFoundMerge(
  ctx: Context,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  before: Pull,
): Promise<boolean> {
  const { repo, owner, units } = view
  const detects = units.settings('repo.pulls')?.autodetectManualMerge ?? false
  if (!detects || pull.isMerged || issue.isClosed || !hasNothingToMerge(pull)) return false
  const { headCommitId: head, baseCommitId: tip } = pull
  const commitId = await findBringingCommit(ctx.git, folderOf(ctx, repo), { head, tip })
  const commit = await readingCode(ctx, repo, (objects) => readCommit(objects, commitId))
  const authors = await findAuthors(ctx, [commit])
  const actor = authors(commit.committer.email) ?? owner
  const changed = await changedBy(ctx, view, before, commitId)
  return markMerged(ctx, repo, issue, { commitId, actor, baseCommitId: tip, changed })
}

/**
 * What it has changed, seen from where the base branch was: from where it is there is nothing left.
 */
async function changedBy(
  ctx: Context,
  view: RepositoryView,
  before: Pull,
  commitId: string,
): Promise<Changes<'pull_request'> | undefined> {
  const { mergeBase, checkedHead, headCommitId: head, additions, deletions, changedFiles } = before
  if (checkedHead === head && mergeBase !== head) {
    return { merge_base: mergeBase, additions, deletions, changed_files: changedFiles }
  }
  if (commitId === head) return undefined
  const folder = folderOf(ctx, view.repo)
  const base = await ctx.git.text(folder, ['rev-parse', `${commitId}^1`])
  return checkCommits(ctx, view, { base, head })
}
