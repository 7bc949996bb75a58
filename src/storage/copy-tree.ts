import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'

/** Copies what is below a folder as it is found; files that go away meanwhile are reported, not copied. */
export async function copyTree(
  from: string,
  to: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<{ readonly isWhole: boolean }> {
  const entries = await readdir(from, { withFileTypes: true }).catch(ignoreMissing)
  if (!entries) return { isWhole: false }
  await mkdir(to, { recursive: true })
  let isWhole = true
  for (const entry of entries.filter(({ name }) => isWanted(name))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const isCopied = entry.isDirectory()
      ? (await copyTree(source, target, isWanted)).isWhole
      : await copyOne(source, target)
    isWhole &&= isCopied
  }
  return { isWhole }
}

/** Shares the bytes where the file system can. */
async function copyOne(from: string, to: string): Promise<boolean> {
  const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(
    () => true,
    ignoreMissing,
  )
  return copied ?? false
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
