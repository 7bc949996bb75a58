import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefName } from './ref-name.ts'
import { isFullId } from './revisions.ts'

/** The commit that a branch is at, without a process: for answers that are kept by it. */
export async function readTip(folder: string, branch: string): Promise<string | undefined> {
  if (!isRefName(branch)) return undefined
  const loose = (await readText(join(folder, 'refs', 'heads', branch)))?.trim()
  if (loose !== undefined && isFullId(loose)) return loose
  const packed = await readText(join(folder, 'packed-refs'))
  return packed === undefined ? undefined : findPacked(packed, `refs/heads/${branch}`)
}

/** A branch `a` is a folder when there is `a/b`. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return undefined
    throw error
  }
}

function findPacked(packed: string, ref: string): string | undefined {
  const end = packed.indexOf(` ${ref}\n`)
  if (end === -1) return undefined
  return packed.slice(packed.lastIndexOf('\n', end) + 1, end)
}
