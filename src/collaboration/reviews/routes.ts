import type { Context } from '../../platform/context.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Issue } from '../issues/issue.ts'
import { loadPull } from '../pulls/load.ts'
import { pullPage } from '../pulls/present.ts'
import { loadPullsOfPath } from '../pulls/routes.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { dismissReview } from './dismiss.ts'
import { loadReview } from './load.ts'
import { presentReview, readReview } from './present.ts'
import { removeReview } from './remove.ts'
import type { Review } from './review.ts'
import {
  CreatePullReviewOptions,
  DismissPullReviewOptions,
  repoCreatePullReview,
  repoDeletePullReview,
  repoDismissPullReview,
  repoGetPullReview,
  repoListPullReviews,
  repoSubmitPullReview,
  repoUnDismissPullReview,
  SubmitPullReviewOptions,
  type ReviewBody,
} from './schema.ts'
import { addReview, submitReview } from './submit.ts'
import { reviewsSeenBy } from './threads.ts'
import { viewReviews } from './view.ts'

export function reviewRoutes(api: Api, ctx: Context): void {
  const reviews = '/repos/:owner/:repo/pulls/:index/reviews'

  api.get(reviews, repoListPullReviews, async (call) => {
    const { view, issue } = await loadPullOfPath(ctx, call)
    const found = await reviewsSeenBy(ctx, call.caller, issue, call.page)
    return call.listOf(found, await presentReviews(ctx, call, view, issue, found.items))
  })

  api.post(reviews, repoCreatePullReview, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    const wanted = readReview(await call.body(CreatePullReviewOptions))
    const found = await loadPull(ctx, view, call.id('index'))
    const review = await addReview(ctx, caller, view, found, wanted)
    return ok(await presentOne(ctx, call, view, found.issue, review))
  })

  api.get(`${reviews}/:id`, repoGetPullReview, async (call) => {
    const { view, issue } = await loadPullOfPath(ctx, call)
    const review = await loadReview(ctx, call.caller, issue, call.id('id'))
    return ok(await presentOne(ctx, call, view, issue, review))
  })

  api.post(`${reviews}/:id`, repoSubmitPullReview, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    const { event = '', body = '' } = await call.body(SubmitPullReviewOptions)
    const found = await loadPull(ctx, view, call.id('index'))
    const review = await loadReview(ctx, caller, found.issue, call.id('id'))
    const submitted = await submitReview(ctx, caller, view, found, review, { event, body })
    return ok(await presentOne(ctx, call, view, found.issue, submitted))
  })

  api.delete(`${reviews}/:id`, repoDeletePullReview, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    const { issue } = await loadPull(ctx, view, call.id('index'))
    const review = await loadReview(ctx, caller, issue, call.id('id'))
    await removeReview(ctx, caller, issue, review)
    return noContent()
  })

  api.post(`${reviews}/:id/dismissals`, repoDismissPullReview, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    call.signedIn()
    const { message = '', priors = false } = await call.body(DismissPullReviewOptions)
    return dismiss(ctx, call, view, { isDismissed: true, message, withPriors: priors })
  })

  api.post(`${reviews}/:id/undismissals`, repoUnDismissPullReview, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    return dismiss(ctx, call, view, { isDismissed: false, message: '', withPriors: false })
  })
}

async function dismiss(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  dismissal: Parameters<typeof dismissReview>[4],
) {
  const caller = call.signedIn()
  assertAdministers(view)
  const { issue } = await loadPull(ctx, view, call.id('index'))
  const review = await loadReview(ctx, caller, issue, call.id('id'))
  const changed = await dismissReview(ctx, caller, issue, review, dismissal)
  return ok(await presentOne(ctx, call, view, issue, changed))
}

/** For routes that read of one pull request. */
export async function loadPullOfPath(ctx: Context, call: Call) {
  const view = await loadPullsOfPath(ctx, call)
  return { view, ...(await loadPull(ctx, view, call.id('index'))) }
}

export async function presentReviews(
  ctx: Context,
  { caller }: Call,
  view: RepositoryView,
  { number }: Issue,
  reviews: readonly Review[],
): Promise<ReviewBody[]> {
  const url = pullPage(ctx.config, view, number)
  const views = await viewReviews(ctx.db, reviews)
  return views.map((review) => presentReview(ctx.config, caller, url, review))
}

async function presentOne(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  issue: Issue,
  review: Review,
): Promise<ReviewBody> {
  const [body] = await presentReviews(ctx, call, view, issue, [review])
  return body as ReviewBody
}
