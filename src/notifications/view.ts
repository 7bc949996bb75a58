import { lastCommentsOf } from '../comments/timeline.ts'
import type { Caller, Context } from '../context.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import { pullsOfIssues } from '../pulls/meta.ts'
import { repositoriesById } from '../repositories/load.ts'
import { viewRepositories, type RepositoryView } from '../repositories/view.ts'
import type { Thread } from './queries.ts'

export interface ThreadView {
  readonly thread: Thread
  readonly issue: Issue
  readonly isMerged: boolean
  readonly repository: RepositoryView
  readonly lastCommentId: number | undefined
}

/** A fixed number of statements, whatever the number of threads. */
export async function viewThreads(
  ctx: Context,
  caller: Caller,
  threads: readonly Thread[],
): Promise<readonly ThreadView[]> {
  if (threads.length === 0) return []
  const issueIds = threads.map(({ issueId }) => issueId)
  const issues = await issuesById(ctx.db, issueIds)
  const pulls = await pullsOfIssues(ctx.db, [...issues.values()])
  const lastComments = await lastCommentsOf(ctx.db, issueIds)
  const repos = await repositoriesById(
    ctx.db,
    [...issues.values()].map(({ repositoryId }) => repositoryId),
  )
  const views = new Map(
    (await viewRepositories(ctx, caller, [...repos.values()])).map((view) => [view.repo.id, view]),
  )
  return threads.flatMap((thread) => {
    const issue = issues.get(thread.issueId)
    const repository = issue && views.get(issue.repositoryId)
    if (!issue || !repository) return []
    const isMerged = pulls.get(issue.id)?.isMerged ?? false
    return { thread, issue, isMerged, repository, lastCommentId: lastComments.get(issue.id) }
  })
}
