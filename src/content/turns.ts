const last = new Map<number, Promise<unknown>>()

/** One after the other for the same repository: whoever waits here need not try again later. */
export async function inTurn<T>(repositoryId: number, work: () => Promise<T>): Promise<T> {
  const before = last.get(repositoryId) ?? Promise.resolve()
  const result = before.then(work)
  const settled = result.catch(() => undefined)
  last.set(repositoryId, settled)
  await settled
  if (last.get(repositoryId) === settled) last.delete(repositoryId)
  return result
}
