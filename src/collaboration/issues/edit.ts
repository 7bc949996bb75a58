import { recordEvents, type NewEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Guard } from '../../platform/db/guard.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { assertNotBlocked } from '../../identity/followers/block.ts'
import { findMilestoneOf, recount } from '../milestones/tally.ts'
import { notifyAsked } from '../../events/notify-asked.ts'
import { changeProjects, chooseProjects, type ChosenProjects } from '../projects/cards.ts'
import { followBranches } from '../pulls/follow-head.ts'
import { askOwnersWhenReady } from '../pulls/ready.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { announceIssue, newsOfEdit, newsOfEvents } from './webhook-events.ts'
import { changeAssignees, loadAssignable, planAssignees, type AssigneesEdit } from './assignees.ts'
import { readTitle, searchText, type Issue } from './issue.ts'
import { changeIssue } from './load.ts'
import { findMentioned, recordMentions } from './mentions.ts'
import { updateIssue } from './queries.ts'
import { findReferred, referTo } from './references.ts'
import { assertEdits, assertWritesIssue, writesIssue } from './rights.ts'
import { assertState, changeState } from './state.ts'

export interface IssueEdit {
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly ref?: string | undefined
  readonly state?: string | undefined
  readonly assignees?: readonly string[] | undefined
  /** 0 takes it away. */
  readonly milestoneId?: number | undefined
  /** 0 takes it away; somebody may want one and not say which. */
  readonly dueAt?: number | 'missing' | undefined
  readonly projectIds?: readonly number[] | undefined
  /** Of the text that the edit is based on. */
  readonly contentVersion?: number | undefined
}

/** An edit whose names and numbers have been looked up. */
interface Planned extends Omit<IssueEdit, 'assignees' | 'dueAt' | 'projectIds'> {
  readonly dueAt?: number | undefined
  readonly assigneeIds?: readonly number[]
  readonly projects?: ChosenProjects | undefined
  readonly mentionedIds: readonly number[]
  readonly referredIds?: readonly number[]
}

/** What else is asked or done in the same transaction. */
export interface EditTerms {
  readonly guard?: Guard<Issue> | undefined
  /** Changes what only a pull request has. */
  readonly editPull?: (tx: Executor, issue: Issue) => Promise<void>
}

/** All of `edit` is applied, or none of it. */
export async function editIssue(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  edit: IssueEdit,
  { guard, editPull }: EditTerms = {},
): Promise<Issue> {
  assertEdits(view, caller, issue, issue)
  await assertNotBlocked(ctx.db, caller.account.id, [view.owner.id])
  const planned = await plan(ctx, caller, view, issue, edit)
  const edited = await changeIssue(ctx, issue, async (tx, current) => {
    await guard?.(tx, current)
    assertVersion(current, planned)
    await editPull?.(tx, current)
    const changed = await apply(ctx, tx, caller, current, planned)
    if (planned.state === undefined) return changed
    return changeState(ctx, tx, caller, view, changed, planned.state === 'closed')
  })
  if (edited.isPull && issue.isClosed && !edited.isClosed) {
    await followBranches(ctx, caller, edited.id)
  }
  if (edited.isPull) await askOwnersWhenReady(ctx, caller, view, { before: issue, after: edited })
  ctx.jobs.wake()
  return edited
}

/** Changes the day it is due alone; 0 takes it away. The caller has been found to write issues. */
export async function editDueDate(
  ctx: Context,
  caller: SignedInCaller,
  issue: Issue,
  dueAt: number,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx, current) => {
    await apply(ctx, tx, caller, current, { dueAt, mentionedIds: [] })
  })
}

/** Changes some of its assignees: who is assigned beside them stays so. */
export async function editAssignees(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  edit: AssigneesEdit,
): Promise<Issue> {
  assertWritesIssue(view, issue)
  await assertNotBlocked(ctx.db, caller.account.id, [view.owner.id])
  const assigneesIn = await planAssignees(ctx, view, issue.id, edit)
  const edited = await changeIssue(ctx, issue, async (tx, current) => {
    const assigneeIds = await assigneesIn(tx)
    return apply(ctx, tx, caller, current, { assigneeIds, mentionedIds: [] })
  })
  ctx.jobs.wake()
  return edited
}

/** What authors who do not write issues say beyond the text is passed over. */
async function plan(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  edit: IssueEdit,
): Promise<Planned> {
  if (edit.state !== undefined) assertState(edit.state)
  const { title, body, ref, state, contentVersion } = edit
  const text = {
    title: title?.trim() ? readTitle(title) : undefined,
    body,
    ref,
    state,
    contentVersion,
    mentionedIds: await findMentioned(ctx.db, body ?? ''),
    referredIds: await findReferred(ctx, caller, view, `${title ?? ''}\n\n${body ?? ''}`),
  }
  if (!writesIssue(view, issue)) return text
  const { milestoneId, dueAt, assignees, projectIds } = edit
  if (dueAt === 'missing') throw new AppError('bad_request', 'The due_date cannot be empty')
  const projects = projectIds && (await chooseProjects(ctx, caller, view, projectIds))
  if (milestoneId) await assertMilestone(ctx, view, milestoneId)
  const facts = { ...text, milestoneId, dueAt, projects }
  if (assignees === undefined) return facts
  return { ...facts, assigneeIds: await loadAssignable(ctx, view, assignees, issue.id) }
}

async function assertMilestone(ctx: Context, { repo }: RepositoryView, id: number): Promise<void> {
  if (await findMilestoneOf(ctx.db, repo.id, id)) return
  throw invalid(`milestone does not exist [id: ${id}, repo_id: ${repo.id}]`)
}

function assertVersion(current: Issue, { contentVersion }: Planned): void {
  if (contentVersion === undefined || contentVersion === current.contentVersion) return
  throw new AppError('conflict', 'the issue is already changed')
}

async function apply(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  current: Issue,
  planned: Planned,
): Promise<Issue> {
  const at = ctx.now()
  const changes = {
    ...textChanges(current, planned),
    milestone_id: planned.milestoneId === 0 ? null : planned.milestoneId,
    due_at: planned.dueAt,
    updated_at: current.isPull || saysSomething(planned) ? at : undefined,
  }
  // A text that is saved again is another version of it, be it the same.
  const isNewVersion = planned.body !== undefined
  const edited = await updateIssue(tx, current.id, changes, { isNewVersion })
  if (!edited) throw notFound()
  await recount(tx, current, edited)
  await recordMentions(tx, current.id, planned.mentionedIds)
  const assigned = planned.assigneeIds
    ? await changeAssignees(tx, current.id, planned.assigneeIds)
    : []
  const moved = planned.projects ? await changeProjects(tx, current.id, planned.projects) : []
  const deed = { issueId: current.id, actorId: account.id, at }
  await referTo(tx, deed, current, planned.referredIds ?? [])
  const events = [...changesOf(current, edited), ...moved, ...assigned]
  await notifyAsked(ctx, tx, deed, events, await recordEvents(tx, deed, events))
  const news = [...newsOfEdit(current, edited), ...newsOfEvents(events)]
  await announceIssue(ctx, tx, account, edited, news)
  return edited
}

/** Of a pull request other things are edited beside these. */
function saysSomething(planned: Planned): boolean {
  const { title, body, ref, milestoneId, dueAt, assigneeIds } = planned
  return [title, body, ref, milestoneId, dueAt, assigneeIds].some((given) => given !== undefined)
}

function textChanges(current: Issue, { title, body, ref }: Planned): Changes<'issue'> {
  return {
    title,
    body,
    ref,
    lower_text: searchText(title ?? current.title, body ?? current.body),
  }
}

/** What an edit is told as. */
function changesOf(before: Issue, after: Issue): readonly NewEvent[] {
  const events: NewEvent[] = []
  if (before.title !== after.title) {
    const details = { oldTitle: before.title, newTitle: after.title }
    events.push({ kind: 'change_title', details })
  }
  if (before.ref !== after.ref) {
    events.push({ kind: 'change_issue_ref', details: { oldRef: before.ref, newRef: after.ref } })
  }
  if (before.milestoneId !== after.milestoneId) {
    events.push({
      kind: 'milestone',
      details: { milestoneId: after.milestoneId ?? 0, oldMilestoneId: before.milestoneId ?? 0 },
    })
  }
  return [...events, ...dueEvents(before.dueAt, after.dueAt)]
}

/** Their text is the days, the new one first. */
function dueEvents(before: number, after: number): readonly NewEvent[] {
  if (before === after) return []
  const day = (seconds: number) => formatTime(seconds).slice(0, 10)
  if (before === 0) return [{ kind: 'added_deadline', body: day(after) }]
  if (after === 0) return [{ kind: 'removed_deadline', body: day(before) }]
  return [{ kind: 'modified_deadline', body: `${day(after)}|${day(before)}` }]
}
