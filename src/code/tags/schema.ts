import { Type, type Static } from 'typebox'
import { CommitMetaBody } from '../commits/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const text = Type.String()

export type TagBody = Static<typeof TagBody>
export const TagBody = Type.Object(
  {
    name: text,
    message: text,
    id: text,
    commit: CommitMetaBody,
    zipball_url: text,
    tarball_url: text,
  },
  { title: 'Tag' },
)

export const CreateTagOption = Type.Object(
  {
    tag_name: Type.String({ notEmpty: true, rule: 'GitRefName', maxLength: 255 }),
    message: Type.Optional(text),
    target: Type.Optional(text),
  },
  { title: 'CreateTagOption' },
)

const common = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListTags = {
  ...common,
  operationId: 'repoListTags',
  summary: 'The tags of a repository, newest first',
  paged: true,
  answers: { 200: Type.Array(TagBody) },
} satisfies Endpoint

export const repoGetTag = {
  ...common,
  operationId: 'repoGetTag',
  summary: 'A tag by its name',
  answers: { 200: TagBody },
} satisfies Endpoint

export const repoCreateTag = {
  ...common,
  operationId: 'repoCreateTag',
  summary: 'Create a tag, annotated when it has a message',
  body: CreateTagOption,
  answers: { 201: TagBody },
} satisfies Endpoint

export const repoDeleteTag = {
  ...common,
  operationId: 'repoDeleteTag',
  summary: 'Delete a tag',
  answers: { 204: 'deleted' },
} satisfies Endpoint
