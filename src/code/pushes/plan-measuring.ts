import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import type { JobQueue, Jobs } from '../../platform/jobs/queue.ts'
import { findIdsOfFolders } from './queries.ts'

const MENDING = { delaySeconds: 300 }

/**
 * From here on refs may move: should that not be recorded, a job mends what is known of the
 * repository.
 */
export async function planMending({ jobs, db }: Context, id: number): Promise<void> {
  await jobs.enqueueOnce(db, 'measure_repository', { id }, MENDING)
}

/** Who is about to move which refs, as far as one row can tell it. */
export type PlannedMove = Jobs['record_moved']

/** More would be too much for a row that is written with every push. */
const MOST_PLANNED = 100

export function planOf(
  { account, credential }: SignedInCaller,
  repositoryId: number,
  updates: readonly RefUpdate[],
  {
    isWhole,
    isForeign = false,
    renamed,
  }: Pick<PlannedMove, 'isWhole' | 'renamed'> & {
    readonly isForeign?: boolean | undefined
  },
): PlannedMove {
  return {
    repositoryId,
    actorId: account.id,
    updates: updates.length > MOST_PLANNED ? [] : updates,
    isWhole,
    isForeign: isForeign || credential.kind === 'deploy-key',
    renamed,
  }
}

/** Like `planMending`, by a job that records the move as well, should nobody have done so. */
export async function planRecording(ctx: Context, plan: PlannedMove): Promise<void> {
  if (plan.updates.length === 0) return planMending(ctx, plan.repositoryId)
  await ctx.jobs.enqueue(ctx.db, 'record_moved', plan, MENDING)
}

/**
 * For repositories that were pushed to without anybody recording it, by the names of their folders.
 */
export async function planMeasuringOf(
  jobs: JobQueue,
  db: Executor,
  folders: readonly string[],
): Promise<void> {
  for (const some of partsOf(folders)) {
    const ids = await findIdsOfFolders(db, some)
    const payloads = ids.map((id) => ({ id }))
    await jobs.enqueueAll(db, 'measure_repository', payloads)
  }
}
