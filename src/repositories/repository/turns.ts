import type { Context } from '../../platform/context.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { SharedResult } from '../../platform/concurrency/request-work.ts'

const lastOf = keptBy((_ctx: Context) => new Map<number, SharedResult<unknown>>())

/** One after the other for the same repository: whoever waits here need not try again later. */
export async function inTurn<T>(
  ctx: Context,
  repositoryId: number,
  work: () => Promise<T>,
): Promise<T> {
  const last = lastOf(ctx)
  const before = last.get(repositoryId)?.settled() ?? Promise.resolve()
  const result = before.then(work)
  const settled = result.catch(() => undefined)
  const own = new SharedResult(settled)
  last.set(repositoryId, own)
  await settled
  if (last.get(repositoryId) === own) last.delete(repositoryId)
  return result
}
