import { Type, type Static } from 'typebox'
import { PayloadCommitBody } from '../commits/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const text = Type.String()
const flag = Type.Boolean()

export type BranchBody = Static<typeof BranchBody>
export const BranchBody = Type.Object(
  {
    name: text,
    commit: PayloadCommitBody,
    protected: flag,
    required_approvals: Type.Integer(),
    enable_status_check: flag,
    status_check_contexts: Type.Array(text),
    user_can_push: flag,
    user_can_merge: flag,
    effective_branch_protection_name: text,
  },
  { title: 'Branch' },
)

export const CreateBranchRepoOption = Type.Object(
  {
    new_branch_name: Type.String({
      notEmpty: true,
      rule: 'GitRefName',
      maxLength: 100,
      field: 'BranchName',
    }),
    old_branch_name: Type.Optional(Type.String({ rule: 'GitRefName', maxLength: 100 })),
    old_ref_name: Type.Optional(Type.String({ rule: 'GitRefName', maxLength: 100 })),
  },
  { title: 'CreateBranchRepoOption' },
)

export const RenameBranchRepoOption = Type.Object(
  { name: Type.String({ notEmpty: true, rule: 'GitRefName', maxLength: 100 }) },
  { title: 'RenameBranchRepoOption' },
)

export const UpdateBranchRepoOption = Type.Object(
  {
    new_commit_id: Type.String({ notEmpty: true, field: 'NewCommitID' }),
    old_commit_id: Type.Optional(Type.String({ field: 'OldCommitID' })),
    force: Type.Optional(flag),
  },
  { title: 'UpdateBranchRepoOption' },
)

const common = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListBranches = {
  ...common,
  operationId: 'repoListBranches',
  summary: 'The branches of a repository',
  paged: true,
  query: { q: 'a part of the name' },
  answers: { 200: Type.Array(BranchBody) },
} satisfies Endpoint

export const repoGetBranch = {
  ...common,
  operationId: 'repoGetBranch',
  summary: 'A branch with its last commit',
  answers: { 200: BranchBody },
} satisfies Endpoint

export const repoCreateBranch = {
  ...common,
  operationId: 'repoCreateBranch',
  summary: 'Create a branch',
  body: CreateBranchRepoOption,
  answers: { 201: BranchBody },
} satisfies Endpoint

export const repoDeleteBranch = {
  ...common,
  operationId: 'repoDeleteBranch',
  summary: 'Delete a branch',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const repoRenameBranch = {
  ...common,
  operationId: 'repoRenameBranch',
  summary: 'Give a branch another name',
  body: RenameBranchRepoOption,
  answers: { 204: 'renamed' },
} satisfies Endpoint

export const repoUpdateBranch = {
  ...common,
  operationId: 'repoUpdateBranch',
  summary: 'Move a branch to another commit',
  body: UpdateBranchRepoOption,
  answers: { 204: 'moved' },
} satisfies Endpoint
