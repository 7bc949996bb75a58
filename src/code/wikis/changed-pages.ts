import type { Context } from '../../platform/context.ts'
import { readCommit } from '../../platform/git/history.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import { branchOf, type RefUpdate } from '../../platform/git/ref-update.ts'
import type { PageNews } from './webhook-events.ts'
import { addressOfFile } from './name.ts'
import { isPage, readEntries } from './pages.ts'
import { headOf } from './after-change.ts'

/** A push may bring any number of pages; of more than these nobody is told one by one. */
export const MAX_TOLD = 100

/** What a push did to the pages that are shown. */
export async function findChangedPages(
  ctx: Context,
  folder: string,
  moved: readonly RefUpdate[],
): Promise<readonly PageNews[]> {
  const head = await headOf(folder)
  const update = moved.find(({ ref }) => branchOf(ref) === head)
  if (update?.after === undefined) return []
  const { before, after } = update
  return withObjects(ctx.git, folder, async (objects) => {
    const filesAt = async (commitId: string | undefined) => {
      const entries = await readEntries(objects, commitId)
      return new Map(entries.filter(isPage).map(({ name, id }) => [name, id]))
    }
    const { message } = await readCommit(objects, after)
    return compare(await filesAt(before), await filesAt(after), message.trim()).slice(0, MAX_TOLD)
  })
}

type IdsByFile = ReadonlyMap<string, string>

function compare(before: IdsByFile, after: IdsByFile, comment: string): readonly PageNews[] {
  const gone = [...before.keys()].filter((file) => !after.has(file))
  const written = [...after].filter(([file, id]) => before.get(file) !== id)
  return [
    ...gone.map((file) => ({ action: 'deleted' as const, page: addressOfFile(file), comment: '' })),
    ...written.map(([file]) => ({
      action: before.has(file) ? ('edited' as const) : ('created' as const),
      page: addressOfFile(file),
      comment,
    })),
  ]
}
