import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import {
  deleteLostWatches,
  holdTeamRepositories,
  insertTeamWatches,
  recountTeamWatches,
  takeFromWatches,
  type LostPairs,
  type TeamPairs,
} from './team-watch-queries.ts'

/** Who joins a team watches what it has, and what it gets is watched by those who are in it. */
export async function watchThroughTeam(
  ctx: Context,
  tx: Executor,
  pairs: TeamPairs,
): Promise<void> {
  if (!ctx.config.repositories.auto_watch) return
  if (ctx.db.dialect === 'postgres') await holdTeamRepositories(tx, pairs)
  await insertTeamWatches(tx, pairs, ctx.now())
  await recountTeamWatches(tx, pairs)
}

/** Who sees a repository no longer, now that teams have changed, watches it no longer. */
export async function endLostWatches(tx: Executor, pairs: LostPairs): Promise<void> {
  const lost = new Map<number, number>()
  for (const id of await deleteLostWatches(tx, pairs)) lost.set(id, (lost.get(id) ?? 0) + 1)
  for (const [by, entries] of Map.groupBy(lost, ([, count]) => count)) {
    const ids = entries.map(([id]) => id).toSorted((a, b) => a - b)
    for (const some of partsOf(ids)) await takeFromWatches(tx, some, by)
  }
}
