import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { changeTracker } from '../../repositories/repository/tracker.ts'
import type { Milestone } from './milestone.ts'
import {
  deleteMilestone,
  findMilestone,
  findMilestoneByTitle,
  findMilestonesIn,
  insertMilestone,
  updateMilestone,
  type MilestoneFilter,
} from './queries.ts'

/** By its id; a text that is no id here is a title. */
export async function loadMilestone(
  ctx: Context,
  repositoryId: number,
  idOrTitle: string,
): Promise<Milestone> {
  const id = /^\d+$/.test(idOrTitle) ? Number(idOrTitle) : 0
  const byId = Number.isSafeInteger(id) && (await findMilestone(ctx.db, repositoryId, id))
  const milestone = byId || (await findMilestoneByTitle(ctx.db, repositoryId, idOrTitle))
  if (!milestone) throw notFound()
  return milestone
}

export interface NewMilestone {
  readonly title: string
  readonly description: string
  readonly isClosed: boolean
  readonly dueAt: number
}

export async function createMilestone(
  ctx: Context,
  repositoryId: number,
  { title, description, isClosed, dueAt }: NewMilestone,
): Promise<Milestone> {
  const now = ctx.now()
  return insertMilestone(ctx.db, {
    repository_id: repositoryId,
    title,
    lower_title: title.toLowerCase(),
    description,
    is_closed: isClosed ? 1 : 0,
    closed_at: isClosed ? now : 0,
    due_at: dueAt,
    created_at: now,
    updated_at: now,
  })
}

/** Its issues stay without it. */
export async function removeMilestone(
  ctx: Context,
  repositoryId: number,
  id: number,
): Promise<void> {
  await changeTracker(ctx, repositoryId, (tx) => deleteMilestone(tx, id))
}

export interface MilestoneEdit {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly isClosed: boolean | undefined
  /** The contract takes the date away from a milestone whose edit does not give one. */
  readonly dueAt: number
}

export async function editMilestone(
  ctx: Context,
  { id, repositoryId }: Milestone,
  { title, description, isClosed, dueAt }: MilestoneEdit,
): Promise<Milestone> {
  const now = ctx.now()
  return changeTracker(ctx, repositoryId, async (tx) => {
    const current = await findMilestone(tx, repositoryId, id)
    const changesState = isClosed !== undefined && isClosed !== current?.isClosed
    const edited = await updateMilestone(tx, id, {
      ...(title ? { title, lower_title: title.toLowerCase() } : {}),
      ...(changesState ? { is_closed: isClosed ? 1 : 0, closed_at: isClosed ? now : 0 } : {}),
      description,
      due_at: dueAt,
      updated_at: now,
    })
    if (!edited) throw notFound()
    return edited
  })
}

/** Those without a due date first. */
export async function listMilestones(
  { db }: Context,
  repositoryId: number,
  filter: MilestoneFilter,
  page: Page,
): Promise<PageOf<Milestone>> {
  return findMilestonesIn(db, repositoryId, filter, page)
}

const MAX_CHOICE = 100

/** What one may choose from. */
export async function milestonesToChoose(
  { db }: Context,
  repositoryId: number,
): Promise<readonly Milestone[]> {
  const page = { number: 1, limit: MAX_CHOICE, offset: 0 }
  return (await findMilestonesIn(db, repositoryId, { state: 'open', name: '' }, page)).items
}
