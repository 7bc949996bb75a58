import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { partsOf } from '../db/parts.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { findIdsOfFolders } from './queries.ts'

const MENDING = { delaySeconds: 300 }

/** From here on refs may move: should that not be recorded, a job mends what is known of the repository. */
export async function planMending({ jobs, db }: Context, id: number): Promise<void> {
  await jobs.enqueueOnce(db, 'measure_repository', { id }, MENDING)
}

/** For repositories that were pushed to without anybody recording it, by the names of their folders. */
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
