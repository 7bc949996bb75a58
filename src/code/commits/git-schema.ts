import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { CommitUserBody, VerificationBody } from './schema.ts'

const text = Type.String()
const count = Type.Integer()

export type TreeBody = Static<typeof TreeBody>
export const TreeBody = Type.Object(
  {
    sha: text,
    url: text,
    tree: Type.Array(
      Type.Object(
        { path: text, mode: text, type: text, size: count, sha: text, url: text },
        { title: 'GitEntry' },
      ),
    ),
    truncated: Type.Boolean(),
    page: count,
    total_count: count,
  },
  { title: 'GitTreeResponse' },
)

export type BlobBody = Static<typeof BlobBody>
export const BlobBody = Type.Object(
  {
    content: Type.Union([text, Type.Null()]),
    encoding: Type.Union([text, Type.Null()]),
    url: text,
    sha: text,
    size: count,
  },
  { title: 'GitBlobResponse' },
)

const GitObjectBody = Type.Object({ type: text, sha: text, url: text }, { title: 'GitObject' })

export type ReferenceBody = Static<typeof ReferenceBody>
export const ReferenceBody = Type.Object(
  { ref: text, url: text, object: GitObjectBody },
  { title: 'Reference' },
)

export type AnnotatedTagBody = Static<typeof AnnotatedTagBody>
export const AnnotatedTagBody = Type.Object(
  {
    tag: text,
    sha: text,
    url: text,
    message: text,
    tagger: CommitUserBody,
    object: Type.Object({ type: text, url: text, sha: text }, { title: 'AnnotatedTagObject' }),
    verification: VerificationBody,
  },
  { title: 'AnnotatedTag' },
)

const read = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const GetTree = {
  ...read,
  operationId: 'GetTree',
  summary: 'The entries of a tree, by its id or by a branch, tag or commit',
  query: {
    recursive: 'true for the trees in it too',
    page: 'number of the page, from 1',
    per_page: 'entries on a page',
  },
  answers: { 200: TreeBody },
} satisfies Endpoint

export const GetBlob = {
  ...read,
  operationId: 'GetBlob',
  summary: 'A blob by its id',
  answers: { 200: BlobBody },
} satisfies Endpoint

export const repoListAllGitRefs = {
  ...read,
  operationId: 'repoListAllGitRefs',
  summary: 'All references',
  answers: { 200: Type.Array(ReferenceBody) },
} satisfies Endpoint

export const repoListGitRefs = {
  ...repoListAllGitRefs,
  operationId: 'repoListGitRefs',
  summary: 'The references below a prefix',
} satisfies Endpoint

export const GetAnnotatedTag = {
  ...read,
  operationId: 'GetAnnotatedTag',
  summary: 'A tag object by its id',
  answers: { 200: AnnotatedTagBody },
} satisfies Endpoint
