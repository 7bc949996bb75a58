import type { Executor } from '../../platform/db/database.ts'
import type { Milestone } from './milestone.ts'
import {
  addToCount,
  findMilestone,
  findMilestones,
  findMilestonesOf,
  findTitled,
} from './queries.ts'

/** An issue as far as milestones count it. */
export interface Counted {
  readonly milestoneId: number | undefined
  readonly isClosed: boolean
}

/**
 * The counts follow an issue that changes; one that is made has no `before`, a deleted one no
 * `after`.
 */
export async function recount(
  tx: Executor,
  before: Counted | undefined,
  after: Counted | undefined,
): Promise<void> {
  const same = before?.milestoneId === after?.milestoneId && before?.isClosed === after?.isClosed
  if (same) return
  if (before) await count(tx, before, -1)
  if (after) await count(tx, after, 1)
}

async function count(
  tx: Executor,
  { milestoneId, isClosed }: Counted,
  difference: 1 | -1,
): Promise<void> {
  if (milestoneId === undefined) return
  await addToCount(
    tx,
    milestoneId,
    isClosed ? 'closed_issues_count' : 'open_issues_count',
    difference,
  )
}

export async function milestonesById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Milestone>> {
  return findMilestones(db, [...new Set(ids)])
}

/** Of those in a repository that a filter names by title or, where none has it, by id. */
export async function milestoneIdsOf(
  db: Executor,
  repositoryId: number,
  names: readonly string[],
): Promise<readonly number[]> {
  if (names.length === 0) return []
  const found = await findTitled(db, repositoryId, names)
  const titles = new Set(found.map(({ title }) => title))
  const ids = names.filter((name) => !titles.has(name) && /^\d{1,15}$/.test(name)).map(Number)
  const byId = await findMilestonesOf(db, repositoryId, ids)
  return [...found, ...byId].map(({ id }) => id)
}

export async function findMilestoneOf(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<Milestone | undefined> {
  return findMilestone(db, repositoryId, id)
}
