import { findAuthors } from '../commits/authors.ts'
import { readingCode } from '../commits/code.ts'
import { anonymous, type Context } from '../context.ts'
import { readCommit } from '../git/history.ts'
import { repositoriesById } from '../repositories/load.ts'
import { issuesById } from '../issues/load.ts'
import { viewRepository, type RepositoryView } from '../repositories/view.ts'
import { refreshCheck } from './check.ts'
import type { FoundPull } from './load.ts'
import { finishMerge, markMerged } from './mark-merged.ts'
import { findOpenPulls } from './queries.ts'

/** The job after a push: what can be merged into the repository now, and what has been. */
export async function checkPulls(ctx: Context, repositoryId: number): Promise<void> {
  const repo = (await repositoriesById(ctx.db, [repositoryId])).get(repositoryId)
  if (!repo) return
  const view = await viewRepository(ctx, anonymous, repo)
  const detects = view.units.settings('repo.pulls')?.autodetectManualMerge ?? false
  const pulls = await findOpenPulls(ctx.db, 'base', repositoryId)
  const issues = await issuesById(
    ctx.db,
    pulls.map(({ issueId }) => issueId),
  )
  for (const pull of pulls) {
    const issue = issues.get(pull.issueId)
    if (issue && (await finishMerge(ctx, repo, { issue, pull }))) continue
    const checked = await refreshCheck(ctx, view, pull)
    if (issue && detects) await acceptFoundMerge(ctx, view, { issue, pull: checked })
  }
}

/** All that the head has is in the base: somebody has merged it by hand, or pushed it. */
async function acceptFoundMerge(
  ctx: Context,
  { repo, owner }: RepositoryView,
  { issue, pull }: FoundPull,
): Promise<void> {
  const { headCommitId, baseCommitId, mergeBase } = pull
  if (mergeBase !== headCommitId) return
  const commit = await readingCode(ctx, repo, (objects) => readCommit(objects, baseCommitId))
  const authors = await findAuthors(ctx, [commit])
  const actor = authors(commit.committer.email) ?? owner
  await markMerged(ctx, repo, issue, { commitId: baseCommitId, actor, baseCommitId })
}
