import { recordEvents, type NewEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { Page, PageOf } from '../db/page.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { isOfRepository } from '../issues/conditions.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, issuesById } from '../issues/load.ts'
import { readableKinds } from '../issues/rights.ts'
import type { RepositoryView } from '../repositories/view.ts'
import {
  addCards,
  deleteCards,
  findCards,
  findIssuesIn,
  makeRoom,
  putCard,
} from './card-queries.ts'
import { loadColumn } from './columns.ts'
import type { Project } from './project.ts'
import { readsProjects } from './projects.ts'
import { findProjectIds } from './queries.ts'

/** What is in a column, as far as the caller reads it. */
export async function issuesIn(
  ctx: Context,
  view: RepositoryView,
  columnId: number,
  page: Page,
): Promise<PageOf<Issue>> {
  const isShown = isOfRepository(view.repo.id, readableKinds(view))
  const { items, total } = await findIssuesIn(ctx.db, columnId, isShown, page)
  const issues = await issuesById(ctx.db, items)
  return { items: items.flatMap((id) => issues.get(id) ?? []), total }
}

/** Puts an issue on the board; if it is there already, it is moved. */
export async function placeIssue(
  ctx: Context,
  caller: SignedInCaller,
  project: Project,
  issue: Issue,
  columnId: number,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    await loadColumn(tx, project, columnId)
    const isThere = (await findCards(tx, issue.id)).some(
      ({ projectId }) => projectId === project.id,
    )
    await putCard(tx, issue.id, { projectId: project.id, columnId })
    if (!isThere) await record(ctx, tx, caller, issue, [joined(project.id)])
  })
}

export interface NewPlace {
  readonly columnId: number
  /** Absent: below all others. */
  readonly sorting?: number | undefined
  /** Instead of `sorting`: above the card of this issue, if it is in the column. */
  readonly aboveIssueId?: number | undefined
}

/** Room on both sides for all that is put above or below it. */
const MAX_SORTING = 2 ** 31

/** The same for one that is there already. */
export async function moveIssue(
  ctx: Context,
  project: Project,
  issue: Issue,
  place: NewPlace,
): Promise<void> {
  if (Math.abs(place.sorting ?? 0) > MAX_SORTING) {
    throw invalid(`sorting must be between -${MAX_SORTING} and ${MAX_SORTING}`)
  }
  await changeIssue(ctx, issue, async (tx) => {
    await loadColumn(tx, project, place.columnId)
    await loadCard(tx, project, issue)
    const { columnId, aboveIssueId } = place
    const room = aboveIssueId === undefined ? undefined : await makeRoom(tx, columnId, aboveIssueId)
    const sorting = room ?? place.sorting
    await putCard(tx, issue.id, { projectId: project.id, columnId, sorting })
  })
}

/** Takes an issue off the board; where a column is named, it is looked for in that one. */
export async function takeOff(
  ctx: Context,
  caller: SignedInCaller,
  project: Project,
  issue: Issue,
  columnId?: number,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx) => {
    const card = await loadCard(tx, project, issue)
    if (columnId !== undefined && card.columnId !== columnId) throw notFound()
    await deleteCards(tx, issue.id, [project.id])
    await record(ctx, tx, caller, issue, [left(project.id)])
  })
}

async function loadCard(tx: Executor, project: Project, issue: Issue) {
  const card = (await findCards(tx, issue.id)).find(({ projectId }) => projectId === project.id)
  if (!card) throw notFound()
  return card
}

/** Boards of another repository are none here. */
export async function assertProjects(
  ctx: Context,
  view: RepositoryView,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const own = readsProjects(view) ? await findProjectIds(ctx.db, view.repo.id) : undefined
  const unknown = ids.find((id) => !own?.has(id))
  if (unknown !== undefined) {
    throw new AppError('bad_request', `project does not exist [id: ${unknown}]`)
  }
}

/** From now on the issue is on these boards and no others; what happened, to be recorded. */
export async function changeProjects(
  tx: Executor,
  issueId: number,
  projectIds: readonly number[],
): Promise<readonly NewEvent[]> {
  const current = new Set((await findCards(tx, issueId)).map(({ projectId }) => projectId))
  const wanted = new Set(projectIds)
  const removed = [...current.difference(wanted)]
  const added = [...wanted.difference(current)]
  await deleteCards(tx, issueId, removed)
  await addCards(tx, issueId, added)
  return [...removed.map(left), ...added.map(joined)]
}

function joined(projectId: number): NewEvent {
  return { kind: 'project', details: { projectId } }
}

function left(oldProjectId: number): NewEvent {
  return { kind: 'project', details: { oldProjectId } }
}

async function record(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { id }: Issue,
  events: readonly NewEvent[],
): Promise<void> {
  await recordEvents(tx, { issueId: id, actorId: account.id, at: ctx.now() }, events)
}
