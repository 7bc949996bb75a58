import type { Git } from './run.ts'

/** What all objects take on disk, packed and loose, in bytes. */
export async function measureObjects(git: Git, folder: string): Promise<number> {
  const text = await git.text(folder, ['count-objects', '-v'])
  const kibibytes = [...text.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size))
  return kibibytes.reduce((sum, size) => sum + size, 0) * 1024
}
