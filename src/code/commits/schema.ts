import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../../identity/users/schema.ts'

const text = Type.String()
const count = Type.Integer()
const time = Type.String({ format: 'date-time' })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** Bytes that are no record: they are sent as they come. */
export const Bytes = Type.Unknown({
  description: 'The bytes themselves.',
  contentMediaType: '*/*',
})

/** A comparison for people and for `git apply`, in place of a record. */
export const Patch = Type.Unknown({
  description: 'A diff or patch.',
  contentMediaType: 'text/plain',
})

export type VerificationBody = Static<typeof VerificationBody>
export const VerificationBody = Type.Object(
  {
    verified: Type.Boolean(),
    reason: text,
    signature: text,
    signer: nullable(Type.Object({ name: text, email: text, username: text })),
    payload: text,
  },
  { title: 'PayloadCommitVerification' },
)

export type CommitMetaBody = Static<typeof CommitMetaBody>
export const CommitMetaBody = Type.Object(
  { url: text, sha: text, created: time },
  { title: 'CommitMeta' },
)

export type CommitUserBody = Static<typeof CommitUserBody>
export const CommitUserBody = Type.Object(
  { name: text, email: text, date: text },
  { title: 'CommitUser' },
)

export type CommitBody = Static<typeof CommitBody>
export const CommitBody = Type.Object(
  {
    url: text,
    sha: text,
    created: time,
    html_url: text,
    commit: Type.Object({
      url: text,
      author: CommitUserBody,
      committer: CommitUserBody,
      message: text,
      tree: CommitMetaBody,
      verification: nullable(VerificationBody),
    }),
    author: nullable(UserBody),
    committer: nullable(UserBody),
    parents: Type.Array(CommitMetaBody),
    files: nullable(Type.Array(Type.Object({ filename: text, status: text }))),
    stats: nullable(Type.Object({ total: count, additions: count, deletions: count })),
  },
  { title: 'Commit' },
)

const PayloadUserBody = Type.Object(
  { name: text, email: text, username: text },
  { title: 'PayloadUser' },
)

export type PayloadCommitBody = Static<typeof PayloadCommitBody>
export const PayloadCommitBody = Type.Object(
  {
    id: text,
    message: text,
    url: text,
    author: PayloadUserBody,
    committer: PayloadUserBody,
    verification: nullable(VerificationBody),
    timestamp: time,
    added: nullable(Type.Array(text)),
    removed: nullable(Type.Array(text)),
    modified: nullable(Type.Array(text)),
  },
  { title: 'PayloadCommit' },
)

const read = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const parts = {
  stat: 'false leaves the numbers of lines out',
  verification: 'false leaves the signature out',
  files: 'false leaves the names of files out',
}

export const repoGetAllCommits = {
  ...read,
  operationId: 'repoGetAllCommits',
  summary: 'Commits, newest first',
  paged: true,
  query: {
    sha: 'branch, tag or id to begin with',
    path: 'only what changed this file or folder',
    since: 'not before this time',
    until: 'not after this time',
    not: 'leave out what this branch, tag or id reaches',
    ...parts,
  },
  answers: { 200: Type.Array(CommitBody) },
} satisfies Endpoint

export const repoGetSingleCommit = {
  ...read,
  operationId: 'repoGetSingleCommit',
  summary: 'A commit; its difference as text with .diff or .patch after the id',
  query: parts,
  answers: { 200: Type.Union([CommitBody, Patch]) },
} satisfies Endpoint

export const repoGetCommit = {
  ...repoGetSingleCommit,
  operationId: 'repoGetCommit',
  summary: 'A commit, at its shorter address',
} satisfies Endpoint

export const repoGetNote = {
  ...read,
  operationId: 'repoGetNote',
  summary: 'What git notes says about a commit',
  query: parts,
  answers: {
    200: Type.Object({ message: Type.String(), commit: CommitBody }, { title: 'Note' }),
  },
} satisfies Endpoint

const CompareBody = Type.Object(
  { total_commits: count, commits: Type.Array(CommitBody) },
  { title: 'Compare' },
)

export const repoCompareDiff = {
  ...read,
  operationId: 'repoCompareDiff',
  summary: 'What one branch, tag or commit has that another lacks',
  query: { output: 'diff or patch, for text' },
  answers: { 200: Type.Union([CompareBody, Patch]) },
} satisfies Endpoint
