import type { Static } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadPull } from '../pulls/load.ts'
import { pullPage } from '../pulls/present.ts'
import { loadPullsOfPath } from '../pulls/routes.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findAllById } from '../../identity/users/load.ts'
import { askForReviews, askNoLonger } from './ask.ts'
import type { CodeComment } from './code-comment.ts'
import { listCodeComments } from './comment-queries.ts'
import { loadReview } from './load.ts'
import { presentCodeComment } from './present.ts'
import { loadPullOfPath, presentReviews } from './routes.ts'
import {
  PullReviewRequestOptions,
  ReplyOption,
  repoCreatePullReviewCommentReply,
  repoCreatePullReviewRequests,
  repoDeletePullReviewRequests,
  repoGetPullReviewComments,
  repoResolvePullReviewComment,
  repoUnresolvePullReviewComment,
  type ReviewCommentBody,
} from './schema.ts'
import { replyTo, setResolved } from './thread.ts'

export function reviewRequestRoutes(api: Api, ctx: Context): void {
  const requested = '/repos/:owner/:repo/pulls/:index/requested_reviewers'

  api.post(requested, repoCreatePullReviewRequests, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    const wanted = readReviewers(await call.body(PullReviewRequestOptions))
    const found = await loadPull(ctx, view, call.id('index'))
    const reviews = await askForReviews(ctx, caller, view, found, wanted)
    return created(await presentReviews(ctx, call, view, found.issue, reviews))
  })

  api.delete(requested, repoDeletePullReviewRequests, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    const wanted = readReviewers(await call.body(PullReviewRequestOptions))
    const found = await loadPull(ctx, view, call.id('index'))
    await askNoLonger(ctx, caller, view, found, wanted)
    return noContent()
  })
}

export function reviewCommentRoutes(api: Api, ctx: Context): void {
  const pulls = '/repos/:owner/:repo/pulls'

  api.get(`${pulls}/:index/reviews/:id/comments`, repoGetPullReviewComments, async (call) => {
    const { view, issue } = await loadPullOfPath(ctx, call)
    const review = await loadReview(ctx, call.caller, issue, call.id('id'))
    const comments = await listCodeComments(ctx.db, review.id)
    return ok(await presentComments(ctx, call, view, issue.number, comments))
  })

  const reply = `${pulls}/:index/comments/:id/replies`
  api.post(reply, repoCreatePullReviewCommentReply, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const { body } = await call.body(ReplyOption)
    const found = await loadPull(ctx, view, call.id('index'))
    const made = await replyTo(ctx, caller, view, found, { id: call.id('id'), body })
    const [comment] = await presentComments(ctx, call, view, found.issue.number, [made])
    return created(comment as ReviewCommentBody)
  })

  const resolve = async (call: Call, isResolved: boolean) => {
    const view = await loadPullsOfPath(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    await setResolved(ctx, caller, view, call.id('id'), isResolved)
    return noContent()
  }
  const comment = `${pulls}/comments/:id`
  api.post(`${comment}/resolve`, repoResolvePullReviewComment, (call) => resolve(call, true))
  api.post(`${comment}/unresolve`, repoUnresolvePullReviewComment, (call) => resolve(call, false))
}

function readReviewers(body: Static<typeof PullReviewRequestOptions>) {
  return { people: body.reviewers ?? [], teams: body.team_reviewers ?? [] }
}

async function presentComments(
  ctx: Context,
  { caller }: Call,
  view: RepositoryView,
  number: number,
  comments: readonly CodeComment[],
): Promise<ReviewCommentBody[]> {
  const ids = comments.flatMap(({ authorId, resolverId }) => [authorId ?? 0, resolverId ?? 0])
  const people = await findAllById(ctx.db, ids)
  const url = pullPage(ctx.config, view, number)
  return comments.map((comment) => presentCodeComment(ctx.config, caller, url, comment, people))
}
