import { Type, type Static } from 'typebox'
import { MAX_PATTERN } from '../../platform/parsing/glob.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const flag = Type.Boolean()
const names = Type.Array(Type.String())
const time = Type.String({ format: 'date-time' })
const filePatterns = Type.String({
  maxLength: 4096,
  description: 'globs, separated by semicolons',
})

const ruleNames = {
  branch_name: Type.String({ maxLength: MAX_PATTERN }),
  rule_name: Type.String({
    maxLength: MAX_PATTERN,
    description: 'a branch or a glob; branch_name unless given',
  }),
}
const settings = {
  priority: Type.Integer(),
  enable_push: flag,
  enable_push_whitelist: flag,
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  push_whitelist_deploy_keys: flag,
  enable_force_push: flag,
  enable_force_push_allowlist: flag,
  force_push_allowlist_usernames: names,
  force_push_allowlist_teams: names,
  force_push_allowlist_deploy_keys: flag,
  enable_merge_whitelist: flag,
  merge_whitelist_usernames: names,
  merge_whitelist_teams: names,
  enable_bypass_allowlist: flag,
  bypass_allowlist_usernames: names,
  bypass_allowlist_teams: names,
  enable_status_check: flag,
  status_check_contexts: names,
  required_approvals: Type.Integer(),
  enable_approvals_whitelist: flag,
  approvals_whitelist_username: names,
  approvals_whitelist_teams: names,
  block_on_rejected_reviews: flag,
  block_on_official_review_requests: flag,
  block_on_codeowner_reviews: flag,
  block_on_outdated_branch: flag,
  dismiss_stale_approvals: flag,
  ignore_stale_approvals: flag,
  require_signed_commits: flag,
  protected_file_patterns: filePatterns,
  unprotected_file_patterns: filePatterns,
  block_admin_merge_override: flag,
}

export type BranchProtectionBody = Static<typeof BranchProtectionBody>
export const BranchProtectionBody = Type.Object(
  { ...ruleNames, ...settings, created_at: time, updated_at: time },
  { title: 'BranchProtection' },
)

export const CreateBranchProtectionOption = Type.Partial(
  Type.Object({ ...ruleNames, ...settings }),
  { title: 'CreateBranchProtectionOption' },
)

export type EditBranchProtectionOption = Static<typeof EditBranchProtectionOption>
export const EditBranchProtectionOption = Type.Partial(Type.Object(settings), {
  title: 'EditBranchProtectionOption',
})

export const UpdateBranchProtectionPriories = Type.Partial(
  Type.Object({ ids: Type.Array(Type.Integer(), { description: 'the first one counts most' }) }),
  { title: 'UpdateBranchProtectionPriories' },
)

export type TagProtectionBody = Static<typeof TagProtectionBody>
export const TagProtectionBody = Type.Object(
  {
    id: Type.Integer(),
    name_pattern: Type.String(),
    whitelist_usernames: names,
    whitelist_teams: names,
    created_at: time,
    updated_at: time,
  },
  { title: 'TagProtection' },
)

const tagFields = {
  name_pattern: Type.String({
    maxLength: MAX_PATTERN,
    description: 'a glob, or a regular expression in slashes',
  }),
  whitelist_usernames: names,
  whitelist_teams: names,
}

export const CreateTagProtectionOption = Type.Partial(Type.Object(tagFields), {
  title: 'CreateTagProtectionOption',
})

export type EditTagProtectionOption = Static<typeof EditTagProtectionOption>
export const EditTagProtectionOption = Type.Partial(Type.Object(tagFields), {
  title: 'EditTagProtectionOption',
})

const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const repoListBranchProtection = {
  ...repository,
  operationId: 'repoListBranchProtection',
  summary: 'The branch protections of a repository, by priority',
  answers: { 200: Type.Array(BranchProtectionBody) },
} satisfies Endpoint

export const repoCreateBranchProtection = {
  ...repository,
  operationId: 'repoCreateBranchProtection',
  summary: 'Protect a branch, or all that match a glob',
  body: CreateBranchProtectionOption,
  answers: { 201: BranchProtectionBody },
} satisfies Endpoint

export const repoGetBranchProtection = {
  ...repository,
  operationId: 'repoGetBranchProtection',
  summary: 'A branch protection',
  answers: { 200: BranchProtectionBody },
} satisfies Endpoint

export const repoEditBranchProtection = {
  ...repository,
  operationId: 'repoEditBranchProtection',
  summary: 'Change a branch protection',
  body: EditBranchProtectionOption,
  answers: { 200: BranchProtectionBody },
} satisfies Endpoint

export const repoDeleteBranchProtection = {
  ...repository,
  operationId: 'repoDeleteBranchProtection',
  summary: 'End a branch protection',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const repoUpdateBranchProtectionPriories = {
  ...repository,
  operationId: 'repoUpdateBranchProtectionPriories',
  summary: 'Put branch protections into another order',
  body: UpdateBranchProtectionPriories,
  answers: { 204: 'ordered' },
} satisfies Endpoint

export const repoListTagProtection = {
  ...repository,
  operationId: 'repoListTagProtection',
  summary: 'The tag protections of a repository',
  answers: { 200: Type.Array(TagProtectionBody) },
} satisfies Endpoint

export const repoCreateTagProtection = {
  ...repository,
  operationId: 'repoCreateTagProtection',
  summary: 'Leave tags that match a pattern to some',
  body: CreateTagProtectionOption,
  answers: { 201: TagProtectionBody },
} satisfies Endpoint

export const repoGetTagProtection = {
  ...repository,
  operationId: 'repoGetTagProtection',
  summary: 'A tag protection',
  answers: { 200: TagProtectionBody },
} satisfies Endpoint

export const repoEditTagProtection = {
  ...repository,
  operationId: 'repoEditTagProtection',
  summary: 'Change a tag protection',
  body: EditTagProtectionOption,
  answers: { 200: TagProtectionBody },
} satisfies Endpoint

export const repoDeleteTagProtection = {
  ...repository,
  operationId: 'repoDeleteTagProtection',
  summary: 'End a tag protection',
  answers: { 204: 'deleted' },
} satisfies Endpoint
