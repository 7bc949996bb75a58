import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { mergeStyles } from './merge-style.ts'

export const MergePullRequestOption = Type.Object(
  {
    do: Type.String({ enum: [...mergeStyles], notEmpty: true }),
    merge_title_field: Type.Optional(Type.String()),
    merge_message_field: Type.Optional(Type.String()),
    merge_commit_id: Type.Optional(
      Type.String({ field: 'MergeCommitID', description: 'Of a merge that was done by hand.' }),
    ),
    head_commit_id: Type.Optional(
      Type.String({ field: 'HeadCommitID', description: 'Where the head must be.' }),
    ),
    force_merge: Type.Optional(
      Type.Boolean({ description: 'Pass over what the protection of the branch misses.' }),
    ),
    merge_when_checks_succeed: Type.Optional(
      Type.Boolean({ description: 'Merge later what cannot be merged yet.' }),
    ),
    delete_branch_after_merge: Type.Optional(Type.Boolean()),
  },
  { title: 'MergePullRequestOption' },
)

const pulls = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoMergePullRequest = {
  ...pulls,
  operationId: 'repoMergePullRequest',
  summary: 'Merge a pull request',
  body: MergePullRequestOption,
  answers: { 200: 'merged', 201: 'it will be merged as soon as nothing is missing' },
} satisfies Endpoint

export const repoPullRequestIsMerged = {
  ...pulls,
  operationId: 'repoPullRequestIsMerged',
  summary: 'Whether a pull request is merged: found or not found',
  answers: { 204: 'merged' },
} satisfies Endpoint

export const repoCancelScheduledAutoMerge = {
  ...pulls,
  operationId: 'repoCancelScheduledAutoMerge',
  summary: 'Do not merge a pull request by itself after all',
  answers: { 204: 'no longer scheduled' },
} satisfies Endpoint

export const repoUpdatePullRequest = {
  ...pulls,
  operationId: 'repoUpdatePullRequest',
  summary: 'Bring what the base branch has into the head branch',
  query: { style: 'merge or rebase; as the repository is set up unless given' },
  answers: { 200: 'up to date' },
} satisfies Endpoint

export const MergeUpstreamRequest = Type.Object(
  { branch: Type.Optional(Type.String()), ff_only: Type.Optional(Type.Boolean()) },
  { title: 'MergeUpstreamRequest' },
)

export const repoMergeUpstream = {
  operationId: 'repoMergeUpstream',
  summary: 'Bring what the forked repository has on a branch into the fork',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  body: MergeUpstreamRequest,
  answers: {
    200: Type.Object(
      { merge_type: Type.String({ description: 'up-to-date, fast-forward or merge' }) },
      { title: 'MergeUpstreamResponse' },
    ),
  },
} satisfies Endpoint
