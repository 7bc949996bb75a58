import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { isOfRepository, type IssueCondition } from '../issues/conditions.ts'
import type { Issue } from '../issues/issue.ts'
import { loadIssueById } from '../issues/load.ts'
import { readableKinds } from '../issues/rights.ts'
import { holdTracker } from '../../repositories/repository/tracker.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Place } from './project.ts'

/** The boards of one place, as somebody sees them. */
export interface Boards {
  readonly place: Place
  /** Which of the issues on them are shown. */
  readonly isShown: IssueCondition
  /** An issue that is on one of them, for who changes that. */
  readonly loadIssue: (id: number) => Promise<Issue>
  /** One that is to be put there. */
  readonly loadNewIssue: (id: number) => Promise<Issue>
}

export function boardsIn(ctx: Context, view: RepositoryView): Boards {
  return {
    place: placeOf(view),
    isShown: isOfRepository(view.repo.id, readableKinds(view)),
    loadIssue: (id) => loadIssueById(ctx, view, id),
    loadNewIssue: (id) => loadIssueById(ctx, view, id),
  }
}

export function placeOf({ repo }: RepositoryView): Place {
  return { kind: 'repository', id: repo.id }
}

/** A transaction on the boards of one place, of which there is one at a time. */
export async function changeBoards<T>(
  ctx: Context,
  place: Place,
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    await holdBoards(ctx, tx, place)
    return work(tx)
  })
}

/** Those of a repository change with its issues. */
export async function holdBoards(ctx: Context, tx: Executor, place: Place): Promise<void> {
  if (place.kind === 'repository') await holdTracker(ctx, tx, place.id)
  else await lock(ctx.db.dialect, tx, 'projects', place.id)
}
