import { anonymous, type Context } from '../../platform/context.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import { issuesById } from '../issues/load.ts'
import { viewRepository } from '../../repositories/repository/view.ts'
import { refreshCheck } from './check.ts'
import { acceptFoundMerge } from './found-merge.ts'
import { finishMerge } from './mark-merged.ts'
import { findOpenPulls } from './queries.ts'

/** The job after a push: what can be merged into the repository now, and what has been. */
export async function checkPulls(ctx: Context, repositoryId: number): Promise<void> {
  const repo = (await repositoriesById(ctx.db, [repositoryId])).get(repositoryId)
  if (!repo) return
  const view = await viewRepository(ctx, anonymous, repo)
  const pulls = await findOpenPulls(ctx.db, 'base', repositoryId)
  const issues = await issuesById(
    ctx.db,
    pulls.map(({ issueId }) => issueId),
  )
  for (const pull of pulls) {
    const issue = issues.get(pull.issueId)
    if (issue && (await finishMerge(ctx, repo, { issue, pull }))) continue
    const checked = await refreshCheck(ctx, view, pull)
    if (issue) await acceptFoundMerge(ctx, view, { issue, pull: checked }, pull)
  }
}
