import type { Static } from 'typebox'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { endOfDay, formatTime, parseTime } from '../../platform/time.ts'
import type { Milestone } from './milestone.ts'
import type { MilestoneEdit, NewMilestone } from './milestones.ts'
import type { CreateMilestoneOption, EditMilestoneOption, MilestoneBody } from './schema.ts'

/** Many issues of a page may have the same. */
export const presentMilestone = keptBy((milestone: Milestone): MilestoneBody =>
  Object.freeze({
    id: milestone.id,
    title: milestone.title,
    description: milestone.description,
    state: milestone.isClosed ? 'closed' : 'open',
    open_issues: milestone.openIssuesCount,
    closed_issues: milestone.closedIssuesCount,
    created_at: formatTime(milestone.createdAt),
    updated_at: formatTime(milestone.updatedAt),
    closed_at: milestone.isClosed ? formatTime(milestone.closedAt) : null,
    due_on: milestone.dueAt === 0 ? null : formatTime(milestone.dueAt),
  }),
)

export function readNewMilestone(body: Static<typeof CreateMilestoneOption>): NewMilestone {
  return {
    title: body.title ?? '',
    description: body.description ?? '',
    isClosed: body.state === 'closed',
    dueAt: parseTime(body.due_on ?? '') ?? 0,
  }
}

/** A date that is edited lasts until the end of its day. */
export function readMilestoneEdit(body: Static<typeof EditMilestoneOption>): MilestoneEdit {
  return {
    title: body.title,
    description: body.description,
    isClosed: body.state ? body.state === 'closed' : undefined,
    dueAt: body.due_on === undefined ? 0 : endOfDay(body.due_on),
  }
}
