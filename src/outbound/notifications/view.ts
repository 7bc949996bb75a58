import { lastCommentsOf } from '../../collaboration/comments/timeline.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { issuesById } from '../../collaboration/issues/load.ts'
import { pullsOfIssues } from '../../collaboration/pulls/meta.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import { viewRepositories, type RepositoryView } from '../../repositories/repository/view.ts'
import type { Thread } from './queries.ts'
import type { RepositoryNews } from './repository-queries.ts'

export interface IssueSubject {
  readonly issue: Issue
  readonly isMerged: boolean
  readonly lastCommentId: number | undefined
}

export interface RepositorySubject {
  readonly news: RepositoryNews
}

export interface ThreadView {
  readonly thread: Thread
  readonly repository: RepositoryView
  readonly about: IssueSubject | RepositorySubject
}

/** A fixed number of statements, whatever the number of threads. */
export async function viewThreads(
  ctx: Context,
  caller: Caller,
  threads: readonly Thread[],
): Promise<readonly ThreadView[]> {
  if (threads.length === 0) return []
  const subjectOf = await findIssues(
    ctx,
    threads.flatMap(({ issueId }) => issueId ?? []),
  )
  const repos = await repositoriesById(
    ctx.db,
    threads.map(({ repositoryId }) => repositoryId),
  )
  const views = new Map(
    (await viewRepositories(ctx, caller, [...repos.values()])).map((view) => [view.repo.id, view]),
  )
  return threads.flatMap((thread) => {
    const { issueId, offerId, repositoryId } = thread
    const repository = views.get(repositoryId)
    const news = offerId === null ? ('fork' as const) : ('offer' as const)
    const about = issueId === null ? { news } : subjectOf(issueId)
    return about && repository ? { thread, repository, about } : []
  })
}

async function findIssues(ctx: Context, ids: readonly number[]) {
  const issues = await issuesById(ctx.db, ids)
  const pulls = await pullsOfIssues(ctx.db, [...issues.values()])
  const lastComments = await lastCommentsOf(ctx.db, ids)
  return (id: number): IssueSubject | undefined => {
    const issue = issues.get(id)
    const isMerged = pulls.get(id)?.isMerged ?? false
    return issue && { issue, isMerged, lastCommentId: lastComments.get(id) }
  }
}
