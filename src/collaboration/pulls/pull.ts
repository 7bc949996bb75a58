import type { Row } from '../../platform/db/schema.ts'

/** What a pull request has beside its issue. */
export interface Pull {
  readonly id: number
  readonly issueId: number
  /** Where it is to be merged. */
  readonly repositoryId: number
  readonly baseBranch: string
  readonly baseCommitId: string
  /** Absent when it is gone. */
  readonly headRepositoryId: number | undefined
  readonly headBranch: string
  readonly headCommitId: string
  /** Whether the branch has been deleted. */
  readonly isHeadGone: boolean
  /** Where the two parted; empty when they have nothing in common. */
  readonly mergeBase: string
  readonly allowsMaintainerEdit: boolean
  readonly isMerged: boolean
  readonly mergedAt: number
  readonly mergedById: number | undefined
  readonly mergeCommitId: string
  /** The commits of which the rest is true, and how they were looked at. */
  readonly checkedBase: string
  readonly checkedHead: string
  readonly isCheckedIgnoringSpace: boolean
  readonly isConflicting: boolean
  readonly additions: number
  readonly deletions: number
  readonly changedFiles: number
  /** How to merge as soon as that is allowed. */
  readonly autoMerge: string
  readonly autoMergeById: number | undefined
}

export function toPull(row: Row<'pull_request'>): Pull {
  return {
    id: row.id,
    issueId: row.issue_id,
    repositoryId: row.repository_id,
    baseBranch: row.base_branch,
    baseCommitId: row.base_commit_id,
    headRepositoryId: row.head_repository_id ?? undefined,
    headBranch: row.head_branch,
    headCommitId: row.head_commit_id,
    isHeadGone: row.is_head_gone === 1 || row.head_repository_id === null,
    mergeBase: row.merge_base,
    allowsMaintainerEdit: row.allows_maintainer_edit === 1,
    isMerged: row.is_merged === 1,
    mergedAt: row.merged_at,
    mergedById: row.merged_by_id ?? undefined,
    mergeCommitId: row.merge_commit_id,
    checkedBase: row.checked_base,
    checkedHead: row.checked_head,
    isCheckedIgnoringSpace: row.checked_ignoring_space === 1,
    isConflicting: row.is_conflicting === 1,
    additions: row.additions,
    deletions: row.deletions,
    changedFiles: row.changed_files,
    autoMerge: row.auto_merge,
    autoMergeById: row.auto_merge_by_id ?? undefined,
  }
}

/** As far as it is told in the notes of a release. */
export interface MergedPull {
  readonly number: number
  readonly title: string
  readonly authorName: string
  readonly mergeCommitId: string
  readonly headCommitId: string
  /** Where it and its base branch parted. */
  readonly mergeBase: string
}

const DRAFT = /^(wip:|\[wip\])\s*/i

/** Its author says by the title that it is not finished. */
export function isDraft(title: string): boolean {
  return DRAFT.test(title)
}

/** The title that says it, or no longer does. */
export function titleOfDraft(title: string, draft: boolean): string {
  if (draft) return isDraft(title) ? title : `WIP: ${title}`
  return title.replace(DRAFT, '')
}

/** Under which clients find its head, whatever becomes of the branch. */
export function headRef(number: number): string {
  return `refs/pull/${number}/head`
}

/** Whether all of its commits are in the base branch, as far as the last check goes. */
export function hasNothingToMerge({ mergeBase, headCommitId }: Pull): boolean {
  return mergeBase === headCommitId
}

/**
 * Whether the last check is about the commits that are to be merged now, as they are to be merged.
 */
export function isChecked(pull: Pull, ignoresSpace: boolean): boolean {
  const isSame = pull.checkedBase === pull.baseCommitId && pull.checkedHead === pull.headCommitId
  return isSame && pull.isCheckedIgnoringSpace === ignoresSpace
}
