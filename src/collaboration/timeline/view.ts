import type { Comment } from '../comments/comment.ts'
import { viewComments, type CommentView } from '../comments/view.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { labelsById } from '../issue-labels/load.ts'
import { viewReadable, type IssueView } from '../issues/view.ts'
import type { Label } from '../../repositories/labels/label.ts'
import type { Milestone } from '../milestones/milestone.ts'
import { milestonesById } from '../milestones/tally.ts'
import type { Project } from '../projects/project.ts'
import { projectsById } from '../projects/projects.ts'
import { shownTo } from '../projects/view.ts'
import { timesById } from '../time-tracking/load.ts'
import type { TrackedTime } from '../time-tracking/tracked-time.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'

/** An entry with what it is about, as far as that is still there and for the caller to see. */
export interface TimelineView extends CommentView {
  readonly label: Label | undefined
  readonly milestone: Milestone | undefined
  readonly oldMilestone: Milestone | undefined
  /** Onto which it was put, or off which it was taken. */
  readonly project: Project | 'hidden' | undefined
  readonly assignee: Account | undefined
  readonly time: TrackedTime | undefined
  readonly dependent: IssueView | undefined
  /** What names this one. */
  readonly source: IssueView | undefined
}

/** A fixed number of statements, whatever the number of entries. */
export async function viewTimeline(
  ctx: Context,
  caller: Caller,
  entries: readonly Comment[],
): Promise<readonly TimelineView[]> {
  const all = entries.map(({ details }) => details)
  const labels = await labelsById(ctx.db, defined(all.map(({ labelId }) => labelId)))
  const milestones = await milestonesById(
    ctx.db,
    defined(all.flatMap(({ milestoneId, oldMilestoneId }) => [milestoneId, oldMilestoneId])),
  )
  const projects = await projectsFor(
    ctx,
    caller,
    defined(all.flatMap(({ projectId, oldProjectId }) => [projectId, oldProjectId])),
  )
  const people = await findAllById(ctx.db, defined(all.map(({ assigneeId }) => assigneeId)))
  const times = await timesById(ctx.db, defined(all.map(({ timeId }) => timeId)))
  const issues = await viewReadable(
    ctx,
    caller,
    defined([
      ...all.map(({ dependentIssueId }) => dependentIssueId),
      ...entries.map(({ sourceId }) => sourceId),
    ]),
  )
  return (await viewComments(ctx.db, entries)).map((view) => {
    const { details } = view.comment
    return {
      ...view,
      label: labels.get(details.labelId ?? 0),
      milestone: milestones.get(details.milestoneId ?? 0),
      oldMilestone: milestones.get(details.oldMilestoneId ?? 0),
      project: projects.get(details.projectId ?? details.oldProjectId ?? 0),
      assignee: people.get(details.assigneeId ?? 0),
      time: times.get(details.timeId ?? 0),
      dependent: issues.get(details.dependentIssueId ?? 0),
      source: issues.get(view.comment.sourceId ?? 0),
    }
  })
}

async function projectsFor(
  { db, config }: Context,
  caller: Caller,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Project | 'hidden'>> {
  const found = [...(await projectsById(db, ids)).values()]
  const shown = new Set(await shownTo(db, { config, caller }, found))
  return new Map(found.map((project) => [project.id, shown.has(project) ? project : 'hidden']))
}

function defined(ids: readonly (number | undefined)[]): readonly number[] {
  return ids.filter((id) => id !== undefined)
}
