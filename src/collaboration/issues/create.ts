import { recordActivity } from '../../events/activity/record.ts'
import { recordEvents, type NewEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import { labelNew } from '../issue-labels/change.ts'
import { usableLabels } from '../issue-labels/load.ts'
import type { Label } from '../../repositories/labels/label.ts'
import { findMilestoneOf, recount } from '../milestones/tally.ts'
import { changeProjects, chooseProjects, type ChosenProjects } from '../projects/cards.ts'
import { changeTracker } from '../../repositories/repository/tracker.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { assignNew, loadAssignable } from './assignees.ts'
import { readTitle, searchText, type Issue } from './issue.ts'
import { findMentioned, recordMentions } from './mentions.ts'
import { insertIssue, takeNumber } from './queries.ts'
import { findReferred, referTo } from './references.ts'
import { writesIssue } from './rights.ts'
import { changeState } from './state.ts'
import { announceIssue, newsOfEvents, opened } from './webhook-events.ts'

export interface NewIssue {
  readonly title: string
  readonly body: string
  readonly ref: string
  readonly isClosed: boolean
  readonly assignees: readonly string[]
  readonly labelIds: readonly number[]
  readonly projectIds: readonly number[]
  /** 0: none. */
  readonly milestoneId: number
  readonly dueAt: number
}

/** What only those who write issues may say of one; looked up. */
interface Triage {
  readonly assigneeIds: readonly number[]
  readonly labels: readonly Label[]
  readonly projects: ChosenProjects | undefined
  readonly milestoneId: number | undefined
  readonly dueAt: number
}

const untriaged: Triage = {
  assigneeIds: [],
  labels: [],
  projects: undefined,
  milestoneId: undefined,
  dueAt: 0,
}

/** Makes a pull request of what would be an issue, in the same transaction. */
export interface MakePull {
  readonly insert: (tx: Executor, issue: Issue) => Promise<void>
  /** When it has been told that it is there. */
  readonly afterwards: (tx: Executor, issue: Issue) => Promise<void>
}

/** What is made with an issue, in the same transaction. */
export interface MadeWith {
  readonly makePull?: MakePull
  /** Makes what hangs on it. */
  readonly complete?: ((tx: Executor, issue: Issue) => Promise<void>) | undefined
}

export async function createIssue(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  wanted: NewIssue,
  { makePull, complete }: MadeWith = {},
): Promise<Issue> {
  const isPull = makePull !== undefined
  const title = readTitle(wanted.title)
  const projects = await findProjects(ctx, caller, view, wanted)
  await assertNotBlocked(ctx.db, caller.account.id, [view.owner.id])
  const isTriaged = writesIssue(view, { isPull })
  const assigneeIds = isTriaged ? await loadAssignable(ctx, view, wanted.assignees) : []
  const mentioned = await findMentioned(ctx.db, wanted.body)
  const referred = await findReferred(ctx, caller, view, `${title}\n\n${wanted.body}`)
  const issue = await changeTracker(ctx, view.repo.id, async (tx) => {
    const triage = isTriaged
      ? { ...(await findTriage(tx, view, wanted)), assigneeIds, projects }
      : untriaged
    const made = await insertNumbered(ctx, tx, caller, view, {
      ...wanted,
      ...triage,
      title,
      isPull,
    })
    await makePull?.insert(tx, made)
    await complete?.(tx, made)
    const events = await recordTriage(ctx, tx, caller, made, triage)
    await recordMentions(tx, made.id, mentioned)
    await referTo(tx, { actorId: caller.account.id, at: ctx.now() }, made, referred)
    await recordCreation(ctx, tx, caller, view, made)
    await announceIssue(ctx, tx, caller.account, made, [opened, ...newsOfEvents(events)])
    await makePull?.afterwards(tx, made)
    return wanted.isClosed ? changeState(ctx, tx, caller, view, made, true) : made
  })
  ctx.jobs.wake()
  return issue
}

/** Refused where there are no such boards, also for those whose choice does not count. */
async function findProjects(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { projectIds }: NewIssue,
): Promise<ChosenProjects | undefined> {
  return projectIds.length === 0 ? undefined : chooseProjects(ctx, caller, view, projectIds)
}

/** Milestones and labels that are not there are passed over. */
async function findTriage(
  tx: Executor,
  view: RepositoryView,
  { milestoneId, labelIds, dueAt }: NewIssue,
): Promise<Omit<Triage, 'assigneeIds' | 'projects'>> {
  const milestone =
    milestoneId > 0 ? await findMilestoneOf(tx, view.repo.id, milestoneId) : undefined
  const labels = await usableLabels(tx, view, { ids: labelIds })
  return { labels, milestoneId: milestone?.id, dueAt }
}

type Numbered = Pick<NewIssue, 'title' | 'body' | 'ref'> & Triage & Pick<Issue, 'isPull'>

async function insertNumbered(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { repo }: RepositoryView,
  { title, body, ref, milestoneId, dueAt, isPull }: Numbered,
): Promise<Issue> {
  const number = await takeNumber(tx, { repositoryId: repo.id, isPull })
  if (number === undefined) throw notFound()
  return insertIssue(tx, {
    repository_id: repo.id,
    number,
    is_pull: isPull ? 1 : 0,
    author_id: account.id,
    title,
    body,
    lower_text: searchText(title, body),
    ref,
    milestone_id: milestoneId ?? null,
    due_at: dueAt,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  })
}

async function recordTriage(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Issue,
  { assigneeIds, labels, milestoneId, projects }: Triage,
): Promise<readonly NewEvent[]> {
  const events: NewEvent[] = []
  if (labels.length > 0) events.push(...(await labelNew(tx, issue.id, labels)))
  if (milestoneId !== undefined) events.push({ kind: 'milestone', details: { milestoneId } })
  if (projects) events.push(...(await changeProjects(tx, issue.id, projects)))
  if (assigneeIds.length > 0) events.push(...(await assignNew(tx, issue.id, assigneeIds)))
  await recordEvents(tx, { issueId: issue.id, actorId: account.id, at: ctx.now() }, events)
  return events
}

async function recordCreation(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { repo }: RepositoryView,
  issue: Issue,
): Promise<void> {
  await recount(tx, undefined, issue)
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: account.id,
    kind: issue.isPull ? 'create_pull_request' : 'create_issue',
    content: `${issue.number}|${issue.title}`,
    isPrivate: repo.isPrivate,
    issueId: issue.id,
    at: ctx.now(),
  })
  await ctx.jobs.enqueue(tx, 'notify_of_issue', { issueId: issue.id, actorId: account.id })
}
