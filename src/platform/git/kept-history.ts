import { keptBy } from '../caches/kept-by.ts'
import { WeighedCache } from '../caches/weighed-cache.ts'
import type { Git } from './run.ts'

const MAX_BYTES = 32 * 1024 * 1024
const keptOf = keptBy((_git: Git) => new WeighedCache<unknown>('history', MAX_BYTES))

interface Weighed<T> {
  readonly value: T
  readonly weight: number
}

/**
 * What `make` finds out about commits that are named by their ids: a commit never changes, and
 * neither does what came before it. `question` is everything that the answer depends on.
 */
export async function keepHistory<T>(
  git: Git,
  question: readonly unknown[],
  make: () => Promise<Weighed<T>>,
): Promise<T> {
  const key = JSON.stringify(question)
  return keptOf(git).get(key, async () => {
    const { value, weight } = await make()
    return { value, weight: key.length + weight }
  }) as Promise<T>
}

/** Like `keepHistory`, of many commits: `make` finds out at once what is not known of any. */
export async function keepOfEach<T>(
  git: Git,
  question: readonly unknown[],
  ids: readonly string[],
  make: (unknown: readonly string[]) => Promise<ReadonlyMap<string, Weighed<T>>>,
): Promise<ReadonlyMap<string, T>> {
  const kept = keptOf(git)
  const begin = JSON.stringify(question)
  const found = new Map<string, T>()
  for (const id of ids) {
    const known = kept.peek(begin + id)
    if (known !== undefined) found.set(id, known as T)
  }
  const unknown = ids.filter((id) => !found.has(id))
  if (unknown.length === 0) return found
  for (const [id, { value, weight }] of await make(unknown)) {
    found.set(id, value)
    kept.keep(begin + id, value, begin.length + id.length + weight)
  }
  return found
}
