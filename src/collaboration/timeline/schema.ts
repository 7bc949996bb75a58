import { Type, type Static } from 'typebox'
import { CommentBody } from '../comments/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { IssueBody } from '../issues/schema.ts'
import { LabelBody } from '../../repositories/labels/schema.ts'
import { MilestoneBody } from '../milestones/schema.ts'
import { TrackedTimeBody } from '../time-tracking/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

const time = Type.String({ format: 'date-time' })

export type TimelineBody = Static<typeof TimelineBody>
export const TimelineBody = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String({ description: 'comment, close, reopen, label, …' }),
    html_url: Type.String(),
    pull_request_url: Type.String(),
    issue_url: Type.String(),
    user: UserBody,
    body: Type.String(),
    created_at: time,
    updated_at: time,
    old_project_id: Type.Integer(),
    project_id: Type.Integer(),
    old_milestone: Type.Union([MilestoneBody, Type.Null()]),
    milestone: Type.Union([MilestoneBody, Type.Null()]),
    tracked_time: Type.Union([TrackedTimeBody, Type.Null()]),
    old_title: Type.String(),
    new_title: Type.String(),
    old_ref: Type.String(),
    new_ref: Type.String(),
    ref_issue: Type.Union([IssueBody, Type.Null()]),
    ref_comment: Type.Union([CommentBody, Type.Null()]),
    ref_action: Type.String(),
    ref_commit_sha: Type.String(),
    review_id: Type.Integer(),
    label: Type.Union([LabelBody, Type.Null()]),
    assignee: Type.Union([UserBody, Type.Null()]),
    assignee_team: Type.Null(),
    removed_assignee: Type.Boolean(),
    resolve_doer: Type.Null(),
    dependent_issue: Type.Union([IssueBody, Type.Null()]),
  },
  { title: 'TimelineComment' },
)

export const issueGetCommentsAndTimeline = {
  operationId: 'issueGetCommentsAndTimeline',
  summary: 'What was said about an issue and what happened to it, oldest first',
  scope: ['issue'],
  access: 'visible',
  publicOnly: 'public',
  query: { since: 'changed at this time or later', before: 'changed at this time or earlier' },
  paged: true,
  answers: { 200: Type.Array(TimelineBody) },
} satisfies Endpoint
