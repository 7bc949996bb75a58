import { Type, type Static } from 'typebox'
import { AttachmentBody } from '../../repositories/attachments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'

const time = Type.String({ format: 'date-time' })

export type CommentBody = Static<typeof CommentBody>
export const CommentBody = Type.Object(
  {
    id: Type.Integer(),
    html_url: Type.String(),
    pull_request_url: Type.String({ description: 'Empty on an issue.' }),
    issue_url: Type.String({ description: 'Empty on a pull request.' }),
    user: Type.Union([UserBody, Type.Null()]),
    original_author: Type.String(),
    original_author_id: Type.Integer(),
    body: Type.String(),
    assets: Type.Array(AttachmentBody),
    created_at: time,
    updated_at: time,
  },
  { title: 'Comment' },
)

const body = { body: Type.String({ notEmpty: true }) }
export const CreateIssueCommentOption = Type.Object(body, { title: 'CreateIssueCommentOption' })
export const EditIssueCommentOption = Type.Object(body, { title: 'EditIssueCommentOption' })

const comments = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const digest = { digest: 'true: with the hashes of the attachments' }
const span = {
  since: 'changed at this time or later',
  before: 'changed at this time or earlier',
  ...digest,
}

export const issueGetComments = {
  ...comments,
  operationId: 'issueGetComments',
  summary: 'All comments on an issue, oldest first',
  query: span,
  answers: { 200: Type.Array(CommentBody) },
} satisfies Endpoint

export const issueGetRepoComments = {
  ...comments,
  operationId: 'issueGetRepoComments',
  summary: 'The comments in a repository, oldest first',
  query: span,
  paged: true,
  answers: { 200: Type.Array(CommentBody) },
} satisfies Endpoint

export const issueCreateComment = {
  ...comments,
  operationId: 'issueCreateComment',
  summary: 'Comment on an issue',
  body: CreateIssueCommentOption,
  idempotent: true,
  answers: { 201: CommentBody },
} satisfies Endpoint

export const issueGetComment = {
  ...comments,
  operationId: 'issueGetComment',
  summary: 'A comment',
  query: digest,
  answers: { 200: CommentBody, 204: 'an event that is no comment', 304: 'not changed' },
} satisfies Endpoint

export const issueEditComment = {
  ...comments,
  operationId: 'issueEditComment',
  summary: 'Change a comment',
  body: EditIssueCommentOption,
  answers: { 200: CommentBody, 204: 'an event that is no comment' },
} satisfies Endpoint

export const issueDeleteComment = {
  ...comments,
  operationId: 'issueDeleteComment',
  summary: 'Delete a comment',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const issueEditCommentDeprecated = {
  ...issueEditComment,
  operationId: 'issueEditCommentDeprecated',
  summary: 'Change a comment, as old clients do',
} satisfies Endpoint

export const issueDeleteCommentDeprecated = {
  ...issueDeleteComment,
  operationId: 'issueDeleteCommentDeprecated',
  summary: 'Delete a comment, as old clients do',
} satisfies Endpoint
