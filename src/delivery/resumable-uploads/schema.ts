import { Type, type Static } from 'typebox'
import { AttachmentBody } from '../../repositories/attachments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

export type UploadBody = Static<typeof UploadBody>
export const UploadBody = Type.Object(
  {
    uuid: Type.String(),
    name: Type.String(),
    url: Type.String({ description: 'Where the rest is sent; also in Location.' }),
    offset: Type.Integer({ description: 'How much has arrived; also in Upload-Offset.' }),
    expires_at: Type.String(),
  },
  { title: 'ResumableUpload' },
)

const common = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const digest = { digest: 'true: with the hash of the file' }

export const repoBeginUpload = {
  ...common,
  operationId: 'repoBeginUpload',
  summary:
    'Begin a file of a release that is sent in parts; the body is the first, or with Upload-Complete: ?1 all',
  takes: ['bytes'],
  query: {
    name: 'what the file is called',
    sha256: 'the hash that the whole must have, in hexadecimal; also as Repr-Digest',
    ...digest,
  },
  answers: { 200: AttachmentBody, 201: UploadBody },
} satisfies Endpoint

export const repoGetUpload = {
  ...common,
  operationId: 'repoGetUpload',
  summary: 'How much of an upload has arrived, as Upload-Offset',
  answers: { 204: 'to be gone on with' },
} satisfies Endpoint

export const repoAppendToUpload = {
  ...common,
  operationId: 'repoAppendToUpload',
  summary: 'Send more of a file from Upload-Offset on; with Upload-Complete: ?1 that was all',
  takes: ['bytes'],
  query: digest,
  answers: { 201: AttachmentBody, 204: 'to be gone on with' },
} satisfies Endpoint

export const repoCancelUpload = {
  ...common,
  operationId: 'repoCancelUpload',
  summary: 'Give up an upload',
  answers: { 204: 'given up' },
} satisfies Endpoint
