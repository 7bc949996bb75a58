import type { Context } from '../context.ts'
import { keptBy } from '../kept-by.ts'

const lastOf = keptBy((_ctx: Context) => new Map<number, Promise<unknown>>())

/** One after the other for the same repository: whoever waits here need not try again later. */
export async function inTurn<T>(
  ctx: Context,
  repositoryId: number,
  work: () => Promise<T>,
): Promise<T> {
  const last = lastOf(ctx)
  const before = last.get(repositoryId) ?? Promise.resolve()
  const result = before.then(work)
  const settled = result.catch(() => undefined)
  last.set(repositoryId, settled)
  await settled
  if (last.get(repositoryId) === settled) last.delete(repositoryId)
  return result
}
