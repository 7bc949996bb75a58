import { keptBy } from '../caches/kept-by.ts'
import { WeighedCache } from '../caches/weighed-cache.ts'
import type { Question } from './question.ts'
import { stampRefs } from './refs-stamp.ts'
import { GitError, type Git } from './run.ts'

const MAX_BYTES = 32 * 1024 * 1024
const keptOf = keptBy((_git: Git) => new WeighedCache<Buffer>('refs', MAX_BYTES))

/**
 * What git answers to a question for the refs, asked once for as long as none changes: programs
 * that look for news do little else. Undefined when it has to be asked.
 */
export async function readKeptRefs(
  git: Git,
  folder: string,
  { text, request }: Question,
): Promise<Buffer | undefined> {
  const stamp = await stampRefs(folder).catch(() => undefined)
  if (stamp === undefined) return undefined
  const key = `${folder} ${stamp}\n${text}`
  try {
    return await keptOf(git).get(key, async () => {
      const value = await askGit(git, folder, request)
      return { value, weight: key.length + value.length }
    })
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

const foundOf = keptBy((_git: Git) => new WeighedCache<unknown>('found_refs', MAX_BYTES))

/**
 * What `make` finds out about the refs, found out once for as long as none changes, of those in the
 * folder `below`.
 */
export async function keepWhileRefsStay<T>(
  git: Git,
  folder: string,
  question: string,
  make: () => Promise<{ readonly value: T; readonly weight: number }>,
  below?: string,
): Promise<T> {
  const stamp = await stampRefs(folder, below).catch(() => undefined)
  if (stamp === undefined) return (await make()).value
  const key = `${folder} ${stamp}\n${question}`
  return foundOf(git).get(key, async () => {
    const { value, weight } = await make()
    return { value, weight: key.length + weight }
  }) as Promise<T>
}

async function askGit(git: Git, folder: string, request: Buffer): Promise<Buffer> {
  const command = ['upload-pack', '--strict', '--stateless-rpc', folder]
  return git.run(folder, command, { input: request, environment: { GIT_PROTOCOL: 'version=2' } })
}
