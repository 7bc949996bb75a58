import type { Git } from './run.ts'

/** More makes fetches slow. */
const MAX_LOOSE = 5000
const MAX_PACKS = 50

export interface ObjectCount {
  /** What all objects take on disk, packed and loose. */
  readonly bytes: number
  /** Whether so much lies about that packing is worth it. */
  readonly isScattered: boolean
}

export async function countObjects(git: Git, folder: string): Promise<ObjectCount> {
  const text = await git.text(folder, ['count-objects', '-v'])
  const counts = new Map(
    [...text.matchAll(/^([\w-]+): (\d+)$/gm)].map(([, key, n]) => [key, Number(n)]),
  )
  const valueOf = (key: string) => counts.get(key) ?? 0
  return {
    bytes: (valueOf('size') + valueOf('size-pack')) * 1024,
    isScattered: valueOf('count') > MAX_LOOSE || valueOf('packs') > MAX_PACKS,
  }
}

/** What all objects take on disk, packed and loose, in bytes. */
export async function measureObjects(git: Git, folder: string): Promise<number> {
  return (await countObjects(git, folder)).bytes
}
