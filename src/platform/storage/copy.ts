import { FileMissing, type FileStorage, type ListedFile } from './file-storage.ts'

const AT_ONCE = 8

/**
 * Brings all files to where they are not yet, and gives how many that were. A file that was being
 * written when it was copied is longer the next time, and copied again.
 */
export async function copyFiles(from: FileStorage, to: FileStorage): Promise<number> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of to.list()) sizes.set(key, size)
  const missing = filesOf(from, ({ key, size }) => sizes.get(key) !== size)
  const copied = await Promise.all(
    Array.from({ length: AT_ONCE }, () => copyEach(missing, from, to)),
  )
  return copied.reduce((sum, count) => sum + count, 0)
}

async function* filesOf(
  storage: FileStorage,
  isWanted: (file: ListedFile) => boolean,
): AsyncGenerator<ListedFile> {
  for await (const file of storage.list()) if (isWanted(file)) yield file
}

/** Several may share `files`: each takes the next when it has copied one. */
async function copyEach(
  files: AsyncIterable<ListedFile>,
  from: FileStorage,
  to: FileStorage,
): Promise<number> {
  let count = 0
  for await (const { key } of files) {
    const content = await from.open(key).catch(ignoreMissing)
    if (!content) continue
    await to.put(key, content)
    count++
  }
  return count
}

/** It was deleted meanwhile. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof FileMissing)) throw error
}
