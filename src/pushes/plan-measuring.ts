import type { Executor } from '../db/database.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { findIdsOfFolders } from './queries.ts'

const AT_ONCE = 500

/** For repositories that were pushed to without anybody recording it, by the names of their folders. */
export async function planMeasuringOf(
  jobs: JobQueue,
  db: Executor,
  folders: readonly string[],
): Promise<void> {
  for (let from = 0; from < folders.length; from += AT_ONCE) {
    const ids = await findIdsOfFolders(db, folders.slice(from, from + AT_ONCE))
    const payloads = ids.map((id) => ({ id }))
    await jobs.enqueueAll(db, 'measure_repository', payloads)
  }
}
