import { keptBy } from '../kept-by.ts'
import { WeighedCache } from '../weighed-cache.ts'
import type { Git } from './run.ts'

const MAX_BYTES = 32 * 1024 * 1024
const keptOf = keptBy((_git: Git) => new WeighedCache<unknown>(MAX_BYTES))

/**
 * What `make` finds out about commits that are named by their ids: a commit never changes, and neither does what came
 * before it. `question` is everything that the answer depends on.
 */
export async function keepHistory<T>(
  git: Git,
  question: readonly unknown[],
  make: () => Promise<{ readonly value: T; readonly weight: number }>,
): Promise<T> {
  const key = JSON.stringify(question)
  return keptOf(git).get(key, async () => {
    const { value, weight } = await make()
    return { value, weight: key.length + weight }
  }) as Promise<T>
}
