import { Type, type Static } from 'typebox'
import { CommitUserBody } from '../commits/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const text = Type.String()

export type WikiCommitBody = Static<typeof WikiCommitBody>
export const WikiCommitBody = Type.Object(
  { sha: text, author: CommitUserBody, commiter: CommitUserBody, message: text },
  { title: 'WikiCommit' },
)

const meta = {
  title: text,
  html_url: text,
  sub_url: text,
  last_commit: Type.Union([WikiCommitBody, Type.Null()]),
}

export type WikiPageMetaBody = Static<typeof WikiPageMetaBody>
export const WikiPageMetaBody = Type.Object(meta, { title: 'WikiPageMetaData' })

export type WikiPageBody = Static<typeof WikiPageBody>
export const WikiPageBody = Type.Object(
  {
    ...meta,
    content_base64: Type.String({ description: 'Empty when it is too large for a record.' }),
    commit_count: Type.Integer(),
    sidebar: Type.String({ description: 'The page `_Sidebar`, in base64.' }),
    footer: Type.String({ description: 'The page `_Footer`, in base64.' }),
  },
  { title: 'WikiPage' },
)

const WikiCommitListBody = Type.Object(
  { commits: Type.Array(WikiCommitBody), count: Type.Integer() },
  { title: 'WikiCommitList' },
)

export type CreateWikiPageOptions = Static<typeof CreateWikiPageOptions>
export const CreateWikiPageOptions = Type.Partial(
  Type.Object({
    title: text,
    content_base64: Type.String({ description: 'An edit without it keeps what is there.' }),
    message: Type.String({ description: 'Of the commit.' }),
  }),
  { title: 'CreateWikiPageOptions' },
)

const wiki = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoCreateWikiPage = {
  ...wiki,
  operationId: 'repoCreateWikiPage',
  summary: 'Create a page of the wiki',
  body: CreateWikiPageOptions,
  answers: { 201: WikiPageBody },
} satisfies Endpoint

export const repoGetWikiPage = {
  ...wiki,
  operationId: 'repoGetWikiPage',
  summary: 'A page of the wiki',
  answers: { 200: WikiPageBody },
} satisfies Endpoint

export const repoEditWikiPage = {
  ...wiki,
  operationId: 'repoEditWikiPage',
  summary: 'Change a page of the wiki, or its title',
  body: CreateWikiPageOptions,
  answers: { 200: WikiPageBody },
} satisfies Endpoint

export const repoDeleteWikiPage = {
  ...wiki,
  operationId: 'repoDeleteWikiPage',
  summary: 'Delete a page of the wiki',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const repoGetWikiPages = {
  ...wiki,
  operationId: 'repoGetWikiPages',
  summary: 'The pages of the wiki',
  paged: true,
  answers: { 200: Type.Array(WikiPageMetaBody) },
} satisfies Endpoint

export const repoGetWikiPageRevisions = {
  ...wiki,
  operationId: 'repoGetWikiPageRevisions',
  summary: 'The commits that changed a page of the wiki, newest first',
  paged: true,
  answers: { 200: WikiCommitListBody },
} satisfies Endpoint
