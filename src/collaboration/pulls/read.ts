import type { Static } from 'typebox'
import { endOfDay, parseTime } from '../../platform/time.ts'
import type { NewPull } from './create.ts'
import type { PullEdit } from './edit.ts'
import type { CreatePullRequestOption, EditPullRequestOption } from './schema.ts'

export function readNewPull(body: Static<typeof CreatePullRequestOption>): NewPull {
  return {
    head: body.head,
    base: body.base,
    title: body.title,
    body: body.body ?? '',
    assignees: readAssignees(body) ?? [],
    labelIds: body.labels ?? [],
    milestoneId: body.milestone ?? 0,
    dueAt: parseTime(body.due_date ?? '') ?? 0,
    allowsMaintainerEdit: body.allow_maintainer_edit,
    reviewers: { people: body.reviewers ?? [], teams: body.team_reviewers ?? [] },
  }
}

export function readPullEdit(body: Static<typeof EditPullRequestOption>): PullEdit {
  return {
    title: body.title,
    body: body.body,
    base: body.base,
    state: body.state,
    assignees: readAssignees(body),
    // Clients that say nothing of it send 0; it is taken away as from an issue.
    milestoneId: body.milestone || undefined,
    labelIds: body.labels,
    dueAt: readDue(body),
    allowsMaintainerEdit: body.allow_maintainer_edit,
    contentVersion: body.content_version,
  }
}

interface Assignees {
  readonly assignee?: string
  readonly assignees?: string[]
}

/** The single one of old clients is one more of the others; empty it says nothing. */
function readAssignees({ assignee, assignees }: Assignees): readonly string[] | undefined {
  if (!assignee && assignees === undefined) return undefined
  return [...(assignees ?? []), ...(assignee ? [assignee] : [])]
}

function readDue({ due_date, unset_due_date }: Static<typeof EditPullRequestOption>) {
  if (due_date === undefined && unset_due_date === false) return 'missing' as const
  if (unset_due_date) return 0
  return due_date === undefined ? undefined : endOfDay(due_date)
}
