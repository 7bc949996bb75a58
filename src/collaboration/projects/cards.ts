import { recordEvents, type NewEvent } from '../comments/record.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, issuesById } from '../issues/load.ts'
import type { PartOfRepositories } from '../../repositories/repository/part.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { announceIssue, touched } from '../issues/webhook-events.ts'
import { holdBoards, type Boards } from './boards.ts'
import {
  addCards,
  deleteCards,
  deleteCardsOf,
  findBoardsFor,
  findCards,
  findIssuesIn,
  makeRoom,
  putCard,
  type Card,
} from './card-queries.ts'
import type { Column } from './column.ts'
import { loadColumn } from './columns.ts'
import type { Project } from './project.ts'
import { placesFor } from './projects.ts'
import { findProjectIds } from './queries.ts'

/** What is in a column, as far as the caller reads it. */
export async function issuesIn(
  ctx: Context,
  { isShown }: Boards,
  columnId: number,
  page: Page,
): Promise<PageOf<Issue>> {
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
    await holdBoards(ctx, tx, project.place)
    const column = await loadColumn(tx, project, columnId)
    if (!(await findBoardsFor(tx, issue.id, [project.id])).has(project.id)) throw notFound()
    const card = await findCard(tx, project, issue)
    await putCard(tx, issue.id, { projectId: project.id, columnId })
    if (!card) await record(ctx, tx, caller, issue, [joined(project.id)])
    else if (card.columnId !== columnId) await recordMove(ctx, tx, caller, issue, project, column)
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

/** For an issue that is on the board already; others are not found. */
export async function moveIssue(
  ctx: Context,
  caller: SignedInCaller,
  project: Project,
  issue: Issue,
  place: NewPlace,
): Promise<void> {
  if (Math.abs(place.sorting ?? 0) > MAX_SORTING) {
    throw invalid(`sorting must be between -${MAX_SORTING} and ${MAX_SORTING}`)
  }
  await changeIssue(ctx, issue, async (tx) => {
    await holdBoards(ctx, tx, project.place)
    const column = await loadColumn(tx, project, place.columnId)
    const card = await loadCard(tx, project, issue)
    const { columnId, aboveIssueId } = place
    const room = aboveIssueId === undefined ? undefined : await makeRoom(tx, columnId, aboveIssueId)
    const sorting = room ?? place.sorting
    await putCard(tx, issue.id, { projectId: project.id, columnId, sorting })
    if (card.columnId !== columnId) await recordMove(ctx, tx, caller, issue, project, column)
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
  const card = await findCard(tx, project, issue)
  if (!card) throw notFound()
  return card
}

async function findCard(tx: Executor, project: Project, { id }: Issue): Promise<Card | undefined> {
  return (await findCards(tx, id)).find(({ projectId }) => projectId === project.id)
}

/** The boards on which something is to be, of those that there are for it. */
export interface ChosenProjects {
  readonly ids: readonly number[]
  /** All that the caller could choose: others, which it does not see, stay as they are. */
  readonly among: ReadonlySet<number>
}

/** Boards of other repositories and accounts are none here. */
export async function chooseProjects(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  ids: readonly number[],
): Promise<ChosenProjects> {
  const places = await placesFor(ctx, caller, view)
  const among = places.length === 0 ? new Set<number>() : await findProjectIds(ctx.db, places)
  const unknown = ids.find((id) => !among.has(id))
  if (unknown !== undefined) {
    throw new AppError('bad_request', `project does not exist [id: ${unknown}]`)
  }
  return { ids, among }
}

/**
 * From now on the issue is on these boards and no others; what happened, to be recorded. Those of
 * an owner who has handed it over since they were chosen are left as well.
 */
export async function changeProjects(
  tx: Executor,
  issueId: number,
  { ids, among }: ChosenProjects,
): Promise<readonly NewEvent[]> {
  const present = new Set((await findCards(tx, issueId)).map(({ projectId }) => projectId))
  const current = present.intersection(among)
  const wanted = await findBoardsFor(tx, issueId, ids)
  const removed = [...current.difference(wanted)]
  const added = [...wanted.difference(current)]
  await deleteCards(tx, issueId, removed)
  await addCards(tx, issueId, added)
  return [...removed.map(left), ...added.map(joined)]
}

/** What is in a repository is on no boards of an owner whom it leaves. */
export const cardsOfRepositories: PartOfRepositories = {
  onTransfer: (tx, { id, ownerId }) => deleteCardsOf(tx, { repositoryId: id, ownerId }),
}

function joined(projectId: number): NewEvent {
  return { kind: 'project', details: { projectId } }
}

function left(oldProjectId: number): NewEvent {
  return { kind: 'project', details: { oldProjectId } }
}

/** Within its column a card moves without a word. */
async function recordMove(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  issue: Issue,
  { id: projectId }: Project,
  { title: columnTitle }: Column,
): Promise<void> {
  const details = { projectId, columnTitle }
  await record(ctx, tx, caller, issue, [{ kind: 'project_board', details }])
  await announceIssue(ctx, tx, caller.account, issue, [touched])
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
