import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/** What pull requests have beside issues. */
export interface PullTables {
  pull_request: PullRequestTable
  review: ReviewTable
  review_comment: ReviewCommentTable
}

/** What a pull request has beside its issue. */
interface PullRequestTable {
  id: Generated<number>
  issue_id: number
  /** Where it is to be merged. */
  repository_id: number
  base_branch: string
  base_commit_id: string
  /** Null: it is gone. */
  head_repository_id: number | null
  head_branch: string
  head_commit_id: string
  /** The branch has been deleted. */
  is_head_gone: Generated<Flag>
  /** Where the two parted; empty when they have nothing in common. */
  merge_base: Generated<string>
  allows_maintainer_edit: Generated<Flag>
  is_merged: Generated<Flag>
  merged_at: Generated<number>
  merged_by_id: number | null
  merge_commit_id: Generated<string>
  /** Of which commits the following is true. */
  checked_base: Generated<string>
  checked_head: Generated<string>
  checked_ignoring_space: Generated<Flag>
  is_conflicting: Generated<Flag>
  additions: Generated<number>
  deletions: Generated<number>
  changed_files: Generated<number>
  /** JSON: how to merge as soon as that is allowed; empty: not by itself. */
  auto_merge: Generated<string>
  auto_merge_by_id: number | null
}

interface ReviewTable {
  id: Generated<number>
  issue_id: number
  /** Absent when the account is gone, or a team was asked. */
  reviewer_id: number | null
  team_id: number | null
  /** As the contract calls them. */
  state: string
  body: Generated<string>
  commit_id: Generated<string>
  /** The head has changed since. */
  is_stale: Generated<Flag>
  /** Counts for the protection of the base branch. */
  is_official: Generated<Flag>
  is_dismissed: Generated<Flag>
  created_at: number
  updated_at: number
}

/** What a comment on a line of code has beside its text. */
interface ReviewCommentTable {
  comment_id: number
  review_id: number
  path: string
  /** 0: it is on the other side. */
  old_line: Generated<number>
  new_line: Generated<number>
  commit_id: string
  diff_hunk: Generated<string>
  resolver_id: number | null
  /** The line that it is about, in a commit that is kept; empty and 0 of older comments. */
  place_commit_id: Generated<string>
  place_path: Generated<string>
  place_line: Generated<number>
}
