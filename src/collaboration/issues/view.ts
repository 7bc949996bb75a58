import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { attachmentsOfIssues } from '../../repositories/attachments/load.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { labelsOfIssues } from '../issue-labels/load.ts'
import type { Label } from '../../repositories/labels/label.ts'
import type { Milestone } from '../milestones/milestone.ts'
import { milestonesById } from '../milestones/tally.ts'
import { projectsOfIssues, type ProjectView } from '../projects/view.ts'
import { pullsOfIssues } from '../pulls/meta.ts'
import type { Pull } from '../pulls/pull.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { findOthers } from '../../identity/users/load.ts'
import { isReadable } from './conditions.ts'
import type { Home, Issue } from './issue.ts'
import { findReadable } from './queries.ts'
import { findAssignees, findHomes } from './relation-queries.ts'

/** An issue with all that its record shows. */
export interface IssueView {
  readonly issue: Issue
  readonly home: Home
  readonly author: Account
  readonly labels: readonly Label[]
  readonly milestone: Milestone | undefined
  readonly assignees: readonly Account[]
  readonly assets: readonly Attachment[]
  /** Absent of what is an issue and nothing else. */
  readonly pull: Pull | undefined
  /** The boards it is on, where somebody asked for them. */
  readonly projects: readonly ProjectView[]
}

/**
 * By whom they are looked at, where that makes a difference: boards are shown to those who may see
 * them.
 */
interface SeenBy {
  readonly config: Config
  readonly caller: Caller
  /** The repository that all of them are in, where it has been loaded. */
  readonly place?: Pick<RepositoryView, 'repo' | 'owner'>
}

/** Views of a page of issues: a fixed number of statements, whatever its size. */
export async function viewIssues(
  db: Executor,
  issues: readonly Issue[],
  seenBy?: SeenBy,
): Promise<readonly IssueView[]> {
  if (issues.length === 0) return []
  const ids = issues.map(({ id }) => id)
  const homes = await homesOf(db, issues, seenBy?.place)
  const authors = await findOthers(
    db,
    seenBy?.caller.account,
    issues.flatMap(({ authorId }) => authorId ?? []),
  )
  const labels = await labelsOfIssues(db, ids)
  const milestones = await milestonesById(
    db,
    issues.flatMap(({ milestoneId }) => milestoneId ?? []),
  )
  const assignees = await findAssignees(db, ids)
  const assets = await attachmentsOfIssues(db, ids)
  const pulls = await pullsOfIssues(db, issues)
  const projects = seenBy && (await projectsOfIssues(db, seenBy, ids))
  return issues.flatMap((issue) => {
    const home = homes.get(issue.repositoryId)
    if (!home) return []
    return {
      issue,
      home,
      author: authors.get(issue.authorId ?? 0) ?? ghost,
      labels: labels.get(issue.id) ?? [],
      milestone: milestones.get(issue.milestoneId ?? 0),
      assignees: assignees.get(issue.id) ?? [],
      assets: assets.get(issue.id) ?? [],
      pull: pulls.get(issue.id),
      projects: projects?.get(issue.id) ?? [],
    }
  })
}

async function homesOf(
  db: Executor,
  issues: readonly Issue[],
  place: SeenBy['place'],
): Promise<ReadonlyMap<number, Home>> {
  if (!place) return findHomes(db, [...new Set(issues.map((issue) => issue.repositoryId))])
  const { repo, owner } = place
  return new Map([[repo.id, { id: repo.id, name: repo.name, ownerName: owner.name }]])
}

/** Those of `ids` that the caller may read, wherever they are. */
export async function viewReadable(
  ctx: Context,
  caller: Caller,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, IssueView>> {
  const wanted = [...new Set(ids)]
  const readable = isReadable(ctx.config, caller, { issues: true, pulls: true })
  const seenBy = { config: ctx.config, caller }
  const views = await viewIssues(ctx.db, await findReadable(ctx.db, wanted, readable), seenBy)
  return new Map(views.map((view) => [view.issue.id, view]))
}

export async function viewIssue(db: Executor, issue: Issue, seenBy?: SeenBy): Promise<IssueView> {
  const [view] = await viewIssues(db, [issue], seenBy)
  if (!view) throw new Error(`the repository of issue ${issue.id} is missing`)
  return view
}
