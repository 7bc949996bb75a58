import type { Context } from '../context.ts'
import { emptyFolderTrash, listTrashDays } from '../git/trash.ts'
import { emptyTrash as emptyFileTrash, isOver } from '../storage/trash.ts'

/**
 * A scheduled task: what sweeps have taken goes for good once nobody has missed it for long
 * enough.
 */
export async function emptyTrash({ config, files, log, now }: Context): Promise<void> {
  const kept = config.storage.trash_days
  for (const day of await listTrashDays(config)) {
    if (!isOver(day, now(), kept)) continue
    await emptyFolderTrash(config, day)
    log.info({ day }, 'removed what sweeps had taken of repositories')
  }
  const count = await emptyFileTrash(files, now(), kept)
  if (count > 0) log.info({ count }, 'removed what sweeps had taken of files')
}
