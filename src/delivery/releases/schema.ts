import { Type, type Static } from 'typebox'
import { AttachmentBody } from '../../repositories/attachments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'

const text = Type.String()
const flag = Type.Boolean()

export type ReleaseBody = Static<typeof ReleaseBody>
export const ReleaseBody = Type.Object(
  {
    id: Type.Integer(),
    tag_name: text,
    target_commitish: text,
    name: text,
    body: text,
    url: text,
    html_url: text,
    tarball_url: text,
    zipball_url: text,
    upload_url: text,
    draft: flag,
    prerelease: flag,
    created_at: Type.String({
      description: 'Of the tagged commit; of a draft, when it was saved.',
    }),
    published_at: Type.Union([text, Type.Null()]),
    author: UserBody,
    assets: Type.Array(AttachmentBody),
  },
  { title: 'Release' },
)

const fields = {
  target_commitish: Type.Optional(
    Type.String({ field: 'Target', description: 'Where a tag is made that is missing.' }),
  ),
  name: Type.Optional(Type.String({ field: 'Title' })),
  body: Type.Optional(Type.String({ field: 'Note' })),
  draft: Type.Optional(Type.Boolean({ field: 'IsDraft' })),
  prerelease: Type.Optional(Type.Boolean({ field: 'IsPrerelease' })),
}

export const CreateReleaseOption = Type.Object(
  {
    tag_name: Type.String({ notEmpty: true }),
    tag_message: Type.Optional(Type.String({ description: 'Makes the tag an annotated one.' })),
    ...fields,
  },
  { title: 'CreateReleaseOption' },
)

export const EditReleaseOption = Type.Object(
  { tag_name: Type.Optional(text), ...fields },
  { title: 'EditReleaseOption' },
)

const common = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const one = { answers: { 200: ReleaseBody } } as const
const read = { answers: { 200: ReleaseBody, 304: 'not changed' } } as const
const gone = { answers: { 204: 'deleted' } } as const

export const repoListReleases = {
  ...common,
  operationId: 'repoListReleases',
  summary: 'The releases of a repository, newest first',
  paged: true,
  query: {
    draft: 'only drafts, or none',
    'pre-release': 'only prereleases, or none',
    tag_filter: 'part of the name of the tag; * stands for anything',
  },
  answers: { 200: Type.Array(ReleaseBody) },
} satisfies Endpoint

export const repoGetLatestRelease = {
  ...common,
  ...read,
  operationId: 'repoGetLatestRelease',
  summary: 'The newest release that is neither a draft nor a prerelease',
} satisfies Endpoint

export const repoGetRelease = {
  ...common,
  ...read,
  operationId: 'repoGetRelease',
  summary: 'A release',
} satisfies Endpoint

export const repoGetReleaseByTag = {
  ...common,
  ...read,
  operationId: 'repoGetReleaseByTag',
  summary: 'A release by the name of its tag',
} satisfies Endpoint

export const repoCreateRelease = {
  ...common,
  operationId: 'repoCreateRelease',
  summary: 'Create a release, and its tag where that is missing',
  body: CreateReleaseOption,
  idempotent: true,
  answers: { 201: ReleaseBody },
} satisfies Endpoint

export const GenerateNotesOption = Type.Object(
  {
    tag_name: Type.String({ notEmpty: true }),
    target_commitish: Type.Optional(
      Type.String({ description: 'Where the tag is going to be, should it be missing.' }),
    ),
    previous_tag_name: Type.Optional(
      Type.String({ description: 'Since when; the nearest tag before it unless given.' }),
    ),
  },
  { title: 'GenerateReleaseNotesOption' },
)

export const repoGenerateReleaseNotes = {
  ...common,
  operationId: 'repoGenerateReleaseNotes',
  summary: 'A text for a release: what was merged and committed since the last one, and by whom',
  body: GenerateNotesOption,
  answers: { 200: Type.Object({ name: text, body: text }, { title: 'ReleaseNotes' }) },
} satisfies Endpoint

export const repoEditRelease = {
  ...common,
  ...one,
  operationId: 'repoEditRelease',
  summary: 'Change a release',
  body: EditReleaseOption,
} satisfies Endpoint

export const repoEditReleaseByTag = {
  ...common,
  ...one,
  operationId: 'repoEditReleaseByTag',
  summary: 'Change a release by the name of its tag',
  body: EditReleaseOption,
} satisfies Endpoint

export const repoDeleteRelease = {
  ...common,
  ...gone,
  operationId: 'repoDeleteRelease',
  summary: 'Delete a release and its files; its tag stays',
} satisfies Endpoint

export const repoDeleteReleaseByTag = {
  ...common,
  ...gone,
  operationId: 'repoDeleteReleaseByTag',
  summary: 'Delete a release by the name of its tag, which stays',
} satisfies Endpoint
