import { Type, type Static } from 'typebox'
import type { Endpoint } from '../http/api.ts'
import { ErrorBody } from '../http/error-schema.ts'

const fields = {
  Text: Type.Optional(Type.String({ field: 'text' })),
  Mode: Type.Optional(
    Type.String({ field: 'mode', description: 'Nothing or markdown, gfm, comment, wiki.' }),
  ),
  Context: Type.Optional(Type.String({ field: 'context', description: 'Accepted and not used.' })),
  Wiki: Type.Optional(Type.Boolean({ field: 'wiki', description: 'The same as the mode wiki.' })),
}

export const MarkdownOption = Type.Object(fields, { title: 'MarkdownOption' })

export type MarkupOption = Static<typeof MarkupOption>
export const MarkupOption = Type.Object(
  {
    ...fields,
    FilePath: Type.Optional(
      Type.String({ field: 'file_path', description: 'Tells the kind of text in the mode file.' }),
    ),
  },
  { title: 'MarkupOption' },
)

const Html = Type.String({ description: 'A fragment of HTML.', contentMediaType: 'text/html' })
const Refusal = Type.Union([
  Type.String({ description: 'Of an unknown mode or kind.', contentMediaType: 'text/plain' }),
  ErrorBody,
])

const rendering = { scope: [], access: 'signed-in', publicOnly: 'public' } as const

export const renderMarkdownEndpoint = {
  ...rendering,
  operationId: 'renderMarkdown',
  summary: 'Markdown as HTML',
  body: MarkdownOption,
  answers: { 200: Html, 422: Refusal },
} satisfies Endpoint

export const renderMarkdownRaw = {
  ...rendering,
  operationId: 'renderMarkdownRaw',
  summary: 'Markdown, sent as the body itself, as HTML',
  takes: ['text'],
  answers: { 200: Html },
} satisfies Endpoint

export const renderMarkup = {
  ...rendering,
  operationId: 'renderMarkup',
  summary: 'A text in a known markup language as HTML',
  body: MarkupOption,
  answers: { 200: Html, 422: Refusal },
} satisfies Endpoint

const ofRepository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoRenderMarkdown = {
  ...renderMarkdownEndpoint,
  ...ofRepository,
  operationId: 'repoRenderMarkdown',
  summary: 'Markdown as HTML, at the address of a repository',
} satisfies Endpoint

export const repoRenderMarkdownRaw = {
  ...renderMarkdownRaw,
  ...ofRepository,
  operationId: 'repoRenderMarkdownRaw',
  summary: 'Markdown, sent as the body itself, as HTML, at the address of a repository',
} satisfies Endpoint

export const repoRenderMarkup = {
  ...renderMarkup,
  ...ofRepository,
  operationId: 'repoRenderMarkup',
  summary: 'A text in a known markup language as HTML, at the address of a repository',
} satisfies Endpoint
