import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/** Issues, and what pull requests share with them. */
export interface IssueTables {
  label: LabelTable
  milestone: MilestoneTable
  issue: IssueTable
  comment: CommentTable
  issue_label: IssueLabelTable
  issue_assignee: IssueAssigneeTable
  issue_mention: IssueMentionTable
  issue_dependency: IssueDependencyTable
  issue_subscription: IssueSubscriptionTable
  reaction: ReactionTable
  tracked_time: TrackedTimeTable
  stopwatch: StopwatchTable
}

interface LabelTable {
  id: Generated<number>
  /** Of a repository or of an organization. */
  repository_id: number | null
  org_id: number | null
  name: string
  color: string
  description: Generated<string>
  exclusive: Generated<Flag>
  exclusive_order: Generated<number>
  is_archived: Generated<Flag>
}

interface MilestoneTable {
  id: Generated<number>
  repository_id: number
  title: Generated<string>
  /** For searching: SQLite's own lower() knows ASCII only. */
  lower_title: Generated<string>
  description: Generated<string>
  is_closed: Generated<Flag>
  closed_at: Generated<number>
  /** 0: none. */
  due_at: Generated<number>
  open_issues_count: Generated<number>
  closed_issues_count: Generated<number>
  created_at: number
  updated_at: number
}

interface IssueTable {
  id: Generated<number>
  repository_id: number
  /** Counted up in each repository. */
  number: number
  is_pull: Generated<Flag>
  /** Gone with the account. */
  author_id: number | null
  title: string
  body: Generated<string>
  /** Title and body, for searching. */
  lower_text: Generated<string>
  ref: Generated<string>
  milestone_id: number | null
  is_closed: Generated<Flag>
  closed_at: Generated<number>
  /** 0: none. */
  due_at: Generated<number>
  is_locked: Generated<Flag>
  lock_reason: Generated<string>
  comments_count: Generated<number>
  time_estimate: Generated<number>
  /** 0: not pinned. */
  pin_order: Generated<number>
  content_version: Generated<number>
  created_at: number
  updated_at: number
}

/** What was said about an issue and what happened to it: one space of ids. */
interface CommentTable {
  id: Generated<number>
  issue_id: number
  /** Of what somebody said: where its issue is. */
  repository_id: Generated<number | null>
  author_id: number | null
  kind: Generated<string>
  body: Generated<string>
  /** For searching. */
  lower_text: Generated<string>
  /** JSON, by the kind. */
  details: Generated<string>
  /** Of a reference: the issue that names this one. */
  ref_issue_id: Generated<number | null>
  created_at: number
  updated_at: number
}

interface IssueLabelTable {
  issue_id: number
  label_id: number
}

interface IssueAssigneeTable {
  issue_id: number
  account_id: number
}

interface IssueMentionTable {
  issue_id: number
  account_id: number
}

interface IssueDependencyTable {
  issue_id: number
  /** To be closed first. */
  depends_on_id: number
  created_at: number
}

/** Who has said whether they want to hear of an issue. */
interface IssueSubscriptionTable {
  issue_id: number
  account_id: number
  is_subscribed: Flag
  created_at: number
}

interface ReactionTable {
  id: Generated<number>
  issue_id: number
  /** Null: to the issue itself. */
  comment_id: number | null
  account_id: number
  content: string
  created_at: number
}

interface TrackedTimeTable {
  id: Generated<number>
  issue_id: number
  account_id: number
  seconds: number
  created_at: number
}

interface StopwatchTable {
  account_id: number
  issue_id: number
  started_at: number
}
