import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'
import { lookBelow } from './look.ts'
import { isRefName } from './ref-name.ts'
import { isFullId } from './revisions.ts'

/** The commit that a branch is at, without a process: for answers that are kept by it. */
export async function readTip(folder: string, branch: string): Promise<string | undefined> {
  if (!isRefName(branch)) return undefined
  const loose = await orNone(() => lookBelow(folder).text(join(folder, 'refs', 'heads', branch)))
  if (loose !== undefined && isFullId(loose.trim())) return loose.trim()
  const packed = await orNone(() => readFile(join(folder, 'packed-refs'), 'utf8'))
  return packed === undefined ? undefined : findPacked(packed, `refs/heads/${branch}`)
}

/** A branch `a` is a folder when there is `a/b`. */
async function orNone(read: () => string | Promise<string>): Promise<string | undefined> {
  try {
    return await read()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG')) return undefined
    throw error
  }
}

function findPacked(packed: string, ref: string): string | undefined {
  const end = packed.indexOf(` ${ref}\n`)
  if (end === -1) return undefined
  return packed.slice(packed.lastIndexOf('\n', end) + 1, end)
}
