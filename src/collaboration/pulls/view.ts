import type { Caller } from '../../platform/context.ts'
import type { Issue } from '../issues/issue.ts'
import { viewIssues, type IssueView } from '../issues/view.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import {
  viewRepositories,
  type RepositoryView,
  type Viewing,
} from '../../repositories/repository/view.ts'
import { summarizeReviews, type ReviewSummary } from '../reviews/summary.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { Pull } from './pull.ts'

/** A pull request with all that its record shows. */
export interface PullView extends IssueView {
  readonly pull: Pull
  readonly base: RepositoryView
  /** Absent when it is gone. */
  readonly head: RepositoryView | undefined
  readonly mergedBy: Account | undefined
  readonly reviews: ReviewSummary
}

/** Views of a page of pull requests: a fixed number of statements, whatever its size. */
export async function viewPulls(
  ctx: Viewing,
  caller: Caller,
  issues: readonly Issue[],
): Promise<readonly PullView[]> {
  const views = await viewIssues(ctx.db, issues)
  const pulls = views.flatMap(({ pull }) => pull ?? [])
  const repositories = await viewSides(ctx, caller, pulls)
  const mergers = await findAllById(
    ctx.db,
    pulls.flatMap(({ mergedById }) => mergedById ?? []),
  )
  const reviewsOf = await summarizeReviews(
    ctx.db,
    pulls.map(({ issueId }) => issueId),
  )
  return views.flatMap((view) => {
    const { pull } = view
    const base = pull && repositories.get(pull.repositoryId)
    if (!base) return []
    return {
      ...view,
      pull,
      base,
      head: repositories.get(pull.headRepositoryId ?? 0),
      mergedBy: mergers.get(pull.mergedById ?? 0),
      reviews: reviewsOf(pull.issueId),
    }
  })
}

async function viewSides(
  ctx: Viewing,
  caller: Caller,
  pulls: readonly Pull[],
): Promise<ReadonlyMap<number, RepositoryView>> {
  const ids = pulls.flatMap((pull) => [pull.repositoryId, pull.headRepositoryId ?? []].flat())
  const repos = await repositoriesById(ctx.db, ids)
  const views = await viewRepositories(ctx, caller, [...repos.values()])
  return new Map(views.map((view) => [view.repo.id, view]))
}

export async function viewPull(ctx: Viewing, caller: Caller, issue: Issue): Promise<PullView> {
  const [view] = await viewPulls(ctx, caller, [issue])
  if (!view) throw new Error(`pull request ${issue.id} is missing`)
  return view
}
