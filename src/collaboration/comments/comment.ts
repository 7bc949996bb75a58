import type { Row } from '../../platform/db/schema.ts'

/** What is not said but happens to an issue, by the contract's names. */
export type EventKind =
  | 'close'
  | 'reopen'
  | 'label'
  | 'milestone'
  | 'project'
  | 'project_board'
  | 'assignees'
  | 'change_title'
  | 'change_issue_ref'
  | 'added_deadline'
  | 'modified_deadline'
  | 'removed_deadline'
  | 'lock'
  | 'unlock'
  | 'pin'
  | 'unpin'
  | 'add_dependency'
  | 'remove_dependency'
  | 'start_tracking'
  | 'stop_tracking'
  | 'cancel_tracking'
  | 'add_time_manual'
  | 'delete_time_manual'
  | 'change_time_estimate'
  | 'pull_push'
  | 'merge_pull'
  | 'pull_scheduled_merge'
  | 'pull_cancel_scheduled_merge'
  | 'change_target_branch'
  | 'delete_branch'
  | 'review'
  | 'review_request'
  | 'dismiss_review'
  | 'code'
  | 'issue_ref'
  | 'pull_ref'
  | 'comment_ref'
  | 'commit_ref'

/** What an event is about; things by their ids, so that they are shown as they are now. */
export interface EventDetails {
  readonly labelId?: number
  readonly milestoneId?: number
  readonly oldMilestoneId?: number
  readonly projectId?: number
  readonly oldProjectId?: number
  /** The column of a board into which it was moved, as that was called then. */
  readonly columnTitle?: string
  readonly assigneeId?: number
  /** A label, an assignee that was taken away. */
  readonly removed?: boolean
  readonly oldTitle?: string
  readonly newTitle?: string
  readonly oldRef?: string
  readonly newRef?: string
  readonly dependentIssueId?: number
  readonly timeId?: number
  readonly reviewId?: number
  readonly teamId?: number
  /** The comment that names this issue. */
  readonly commentId?: number
  /** The commit that names an issue, or has closed or reopened it by its words. */
  readonly commitId?: string
  /** The pull request that has closed or reopened an issue by its words. */
  readonly pullNumber?: number
}

export interface Comment {
  readonly id: number
  readonly issueId: number
  /** Absent when the account is gone. */
  readonly authorId: number | undefined
  readonly kind: 'comment' | EventKind
  readonly body: string
  readonly details: EventDetails
  /** Of a reference: the issue that names this one. */
  readonly sourceId: number | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export function toComment(row: Row<'comment'>): Comment {
  return {
    id: row.id,
    issueId: row.issue_id,
    authorId: row.author_id ?? undefined,
    kind: row.kind as Comment['kind'],
    body: row.body,
    details: JSON.parse(row.details) as EventDetails,
    sourceId: row.ref_issue_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
