import { Type } from 'typebox'
import { AttachmentBody, EditAttachmentOptions } from '../../repositories/attachments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const common = { scope: ['issue'], access: 'visible', publicOnly: 'public' } as const
const digest = { digest: 'true: with the hash of the file' }
const list = { query: digest, answers: { 200: Type.Array(AttachmentBody) } } as const
const one = { query: digest, answers: { 200: AttachmentBody, 304: 'not changed' } } as const
const upload = {
  takes: ['form'],
  query: {
    name: 'what the file is called; the name of its part unless given',
    sha256: 'the hash that the file must have, in hexadecimal; also as Repr-Digest',
    ...digest,
  },
  idempotent: true,
  answers: { 201: AttachmentBody },
} as const
const rename = { body: EditAttachmentOptions, answers: { 201: AttachmentBody } } as const
const gone = { answers: { 204: 'deleted' } } as const

export const issueListIssueAttachments = {
  ...common,
  ...list,
  operationId: 'issueListIssueAttachments',
  summary: 'The attachments of an issue, without those of its comments',
} satisfies Endpoint

export const issueGetIssueAttachment = {
  ...common,
  ...one,
  operationId: 'issueGetIssueAttachment',
  summary: 'An attachment of an issue or of one of its comments',
} satisfies Endpoint

export const issueCreateIssueAttachment = {
  ...common,
  ...upload,
  operationId: 'issueCreateIssueAttachment',
  summary: 'Attach a file to an issue: a form with the part attachment',
} satisfies Endpoint

export const issueEditIssueAttachment = {
  ...common,
  ...rename,
  operationId: 'issueEditIssueAttachment',
  summary: 'Rename an attachment of an issue',
} satisfies Endpoint

export const issueDeleteIssueAttachment = {
  ...common,
  ...gone,
  operationId: 'issueDeleteIssueAttachment',
  summary: 'Delete an attachment of an issue',
} satisfies Endpoint

export const issueListIssueCommentAttachments = {
  ...common,
  ...list,
  operationId: 'issueListIssueCommentAttachments',
  summary: 'The attachments of a comment',
} satisfies Endpoint

export const issueGetIssueCommentAttachment = {
  ...common,
  ...one,
  operationId: 'issueGetIssueCommentAttachment',
  summary: 'An attachment of a comment',
} satisfies Endpoint

export const issueCreateIssueCommentAttachment = {
  ...common,
  ...upload,
  operationId: 'issueCreateIssueCommentAttachment',
  summary: 'Attach a file to a comment: a form with the part attachment',
} satisfies Endpoint

export const issueEditIssueCommentAttachment = {
  ...common,
  ...rename,
  operationId: 'issueEditIssueCommentAttachment',
  summary: 'Rename an attachment of a comment',
} satisfies Endpoint

export const issueDeleteIssueCommentAttachment = {
  ...common,
  ...gone,
  operationId: 'issueDeleteIssueCommentAttachment',
  summary: 'Delete an attachment of a comment',
} satisfies Endpoint
