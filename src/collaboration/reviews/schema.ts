import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { TeamBody } from '../../identity/organizations/team-schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

const time = Type.String({ format: 'date-time' })
const userOrNull = Type.Union([UserBody, Type.Null()])

export type ReviewBody = Static<typeof ReviewBody>
export const ReviewBody = Type.Object(
  {
    id: Type.Integer(),
    user: userOrNull,
    team: Type.Union([TeamBody, Type.Null()]),
    state: Type.String({
      description: 'APPROVED, REQUEST_CHANGES, COMMENT, PENDING or REQUEST_REVIEW',
    }),
    body: Type.String(),
    commit_id: Type.String(),
    stale: Type.Boolean(),
    official: Type.Boolean(),
    dismissed: Type.Boolean(),
    comments_count: Type.Integer(),
    submitted_at: time,
    updated_at: time,
    html_url: Type.String(),
    pull_request_url: Type.String(),
  },
  { title: 'PullReview' },
)

export type ReviewCommentBody = Static<typeof ReviewCommentBody>
export const ReviewCommentBody = Type.Object(
  {
    id: Type.Integer(),
    body: Type.String(),
    user: UserBody,
    resolver: userOrNull,
    pull_request_review_id: Type.Integer(),
    created_at: time,
    updated_at: time,
    path: Type.String(),
    commit_id: Type.String(),
    original_commit_id: Type.String(),
    diff_hunk: Type.String(),
    position: Type.Integer({ description: 'The line on the new side, or 0.' }),
    original_position: Type.Integer({ description: 'The line on the old side, or 0.' }),
    html_url: Type.String(),
    pull_request_url: Type.String(),
  },
  { title: 'PullReviewComment' },
)

const NewReviewComment = Type.Partial(
  Type.Object({
    path: Type.String(),
    body: Type.String(),
    old_position: Type.Integer({ field: 'OldLineNum' }),
    new_position: Type.Integer({ field: 'NewLineNum' }),
  }),
  { title: 'CreatePullReviewComment' },
)

const event = Type.String({ description: 'APPROVED, REQUEST_CHANGES or COMMENT; else it waits.' })

export const CreatePullReviewOptions = Type.Partial(
  Type.Object({
    event,
    body: Type.String(),
    commit_id: Type.String({ field: 'CommitID', description: 'The head unless given.' }),
    comments: Type.Array(NewReviewComment),
  }),
  { title: 'CreatePullReviewOptions' },
)

export const SubmitPullReviewOptions = Type.Partial(Type.Object({ event, body: Type.String() }), {
  title: 'SubmitPullReviewOptions',
})

export const DismissPullReviewOptions = Type.Partial(
  Type.Object({
    message: Type.String(),
    priors: Type.Boolean({ description: 'With all earlier ones of the same person.' }),
  }),
  { title: 'DismissPullReviewOptions' },
)

const names = Type.Array(Type.String())
export const PullReviewRequestOptions = Type.Partial(
  Type.Object({ reviewers: names, team_reviewers: names }),
  { title: 'PullReviewRequestOptions' },
)

export const ReplyOption = Type.Object(
  { body: Type.String({ notEmpty: true }) },
  { title: 'CreatePullReviewCommentReplyOptions' },
)

const reviews = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListPullReviews = {
  ...reviews,
  operationId: 'repoListPullReviews',
  summary: 'The reviews of a pull request, oldest first',
  paged: true,
  answers: { 200: Type.Array(ReviewBody) },
} satisfies Endpoint

export const repoCreatePullReview = {
  ...reviews,
  operationId: 'repoCreatePullReview',
  summary: 'Review a pull request, or begin to',
  body: CreatePullReviewOptions,
  answers: { 200: ReviewBody },
} satisfies Endpoint

export const repoGetPullReview = {
  ...reviews,
  operationId: 'repoGetPullReview',
  summary: 'A review',
  answers: { 200: ReviewBody },
} satisfies Endpoint

export const repoSubmitPullReview = {
  ...reviews,
  operationId: 'repoSubmitPullReview',
  summary: 'Hand in a review that was begun',
  body: SubmitPullReviewOptions,
  answers: { 200: ReviewBody },
} satisfies Endpoint

export const repoDeletePullReview = {
  ...reviews,
  operationId: 'repoDeletePullReview',
  summary: 'Delete a review with its comments',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const repoGetPullReviewComments = {
  ...reviews,
  operationId: 'repoGetPullReviewComments',
  summary: 'The comments of a review',
  answers: { 200: Type.Array(ReviewCommentBody) },
} satisfies Endpoint

export const repoDismissPullReview = {
  ...reviews,
  operationId: 'repoDismissPullReview',
  summary: 'Say that a review does not count',
  body: DismissPullReviewOptions,
  answers: { 200: ReviewBody },
} satisfies Endpoint

export const repoUnDismissPullReview = {
  ...reviews,
  operationId: 'repoUnDismissPullReview',
  summary: 'Let a dismissed review count again',
  answers: { 200: ReviewBody },
} satisfies Endpoint

export const repoCreatePullReviewRequests = {
  ...reviews,
  operationId: 'repoCreatePullReviewRequests',
  summary: 'Ask people and teams for a review',
  body: PullReviewRequestOptions,
  answers: { 201: Type.Array(ReviewBody) },
} satisfies Endpoint

export const repoDeletePullReviewRequests = {
  ...reviews,
  operationId: 'repoDeletePullReviewRequests',
  summary: 'Ask them no longer',
  body: PullReviewRequestOptions,
  answers: { 204: 'not asked' },
} satisfies Endpoint

export const repoResolvePullReviewComment = {
  ...reviews,
  operationId: 'repoResolvePullReviewComment',
  summary: 'Say that a comment on code is settled',
  answers: { 204: 'settled' },
} satisfies Endpoint

export const repoUnresolvePullReviewComment = {
  ...reviews,
  operationId: 'repoUnresolvePullReviewComment',
  summary: 'Say that a comment on code is not settled after all',
  answers: { 204: 'open' },
} satisfies Endpoint

export const repoCreatePullReviewCommentReply = {
  ...reviews,
  operationId: 'repoCreatePullReviewCommentReply',
  summary: 'Answer a comment on code',
  body: ReplyOption,
  answers: { 201: ReviewCommentBody },
} satisfies Endpoint
