import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'

export type ReactionBody = Static<typeof ReactionBody>
export const ReactionBody = Type.Object(
  { user: UserBody, content: Type.String(), created_at: Type.String({ format: 'date-time' }) },
  { title: 'Reaction' },
)

export const EditReactionOption = Type.Partial(
  Type.Object({ content: Type.String({ field: 'Reaction' }) }),
  { title: 'EditReactionOption' },
)

const reactions = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const list = { paged: true, answers: { 200: Type.Array(ReactionBody) } } as const
const add = {
  body: EditReactionOption,
  answers: { 200: ReactionBody, 201: ReactionBody },
} as const
const remove = { body: EditReactionOption, answers: { 204: 'taken back' } } as const

export const issueGetIssueReactions = {
  ...reactions,
  ...list,
  operationId: 'issueGetIssueReactions',
  summary: 'The reactions to an issue',
} satisfies Endpoint

export const issuePostIssueReaction = {
  ...reactions,
  ...add,
  operationId: 'issuePostIssueReaction',
  summary: 'React to an issue',
} satisfies Endpoint

export const issueDeleteIssueReaction = {
  ...reactions,
  ...remove,
  operationId: 'issueDeleteIssueReaction',
  summary: 'Take a reaction to an issue back',
} satisfies Endpoint

export const issueGetCommentReactions = {
  ...reactions,
  ...list,
  operationId: 'issueGetCommentReactions',
  summary: 'The reactions to a comment',
} satisfies Endpoint

export const issuePostCommentReaction = {
  ...reactions,
  ...add,
  operationId: 'issuePostCommentReaction',
  summary: 'React to a comment',
} satisfies Endpoint

export const issueDeleteCommentReaction = {
  ...reactions,
  ...remove,
  operationId: 'issueDeleteCommentReaction',
  summary: 'Take a reaction to a comment back',
} satisfies Endpoint
