import { Type } from 'typebox'
import { AttachmentBody, EditAttachmentOptions } from '../../repositories/attachments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const common = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const digest = { digest: 'true: with the hash of the file' }
const sent = {
  name: 'what the file is called; of a form the name of its part unless given',
  sha256: 'the hash that the file must have, in hexadecimal; also as Repr-Digest',
  ...digest,
}

export const repoListReleaseAttachments = {
  ...common,
  operationId: 'repoListReleaseAttachments',
  summary: 'The files of a release, by name',
  query: digest,
  answers: { 200: Type.Array(AttachmentBody) },
} satisfies Endpoint

export const repoGetReleaseAttachment = {
  ...common,
  operationId: 'repoGetReleaseAttachment',
  summary: 'A file of a release',
  query: digest,
  answers: { 200: AttachmentBody, 304: 'not changed' },
} satisfies Endpoint

export const repoCreateReleaseAttachment = {
  ...common,
  operationId: 'repoCreateReleaseAttachment',
  summary: 'Add a file to a release: a form with the part attachment, or the file itself',
  takes: ['form', 'bytes'],
  query: sent,
  idempotent: true,
  answers: { 201: AttachmentBody },
} satisfies Endpoint

export const repoReplaceReleaseAttachment = {
  ...common,
  operationId: 'repoReplaceReleaseAttachment',
  summary: 'Add a file to a release in place of those of its name, at once',
  takes: ['form', 'bytes'],
  query: sent,
  answers: { 200: AttachmentBody, 201: AttachmentBody },
} satisfies Endpoint

export const repoEditReleaseAttachment = {
  ...common,
  operationId: 'repoEditReleaseAttachment',
  summary: 'Rename a file of a release',
  body: EditAttachmentOptions,
  answers: { 201: AttachmentBody },
} satisfies Endpoint

export const repoDeleteReleaseAttachment = {
  ...common,
  operationId: 'repoDeleteReleaseAttachment',
  summary: 'Delete a file of a release',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const repoGetReleaseChecksums = {
  ...common,
  operationId: 'repoGetReleaseChecksums',
  summary: 'The hashes of the files of a release, as sha256sum checks them',
  answers: { 200: Type.String({ contentMediaType: 'text/plain' }) },
} satisfies Endpoint
