import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'
import { lookBelow } from './look.ts'
import { isRefName } from './ref-name.ts'
import { isFullId } from './revisions.ts'

/** The commit that a branch is at, without a process: for answers that are kept by it. */
export async function readTip(folder: string, branch: string): Promise<string | undefined> {
  return readRef(folder, `refs/heads/${branch}`)
}

/** As far as git follows refs that are only other names of refs. */
const MAX_NAMES = 5

async function readRef(folder: string, ref: string, names = 1): Promise<string | undefined> {
  if (!isRefName(ref) || names > MAX_NAMES) return undefined
  const loose = await orNone(() => lookBelow(folder).text(join(folder, ref)))
  if (loose === undefined) {
    const packed = await orNone(() => readFile(join(folder, 'packed-refs'), 'utf8'))
    return packed === undefined ? undefined : findPacked(packed, ref)
  }
  const [, target] = /^ref: (refs\/.+)$/.exec(loose.trimEnd()) ?? []
  if (target !== undefined) return readRef(folder, target, names + 1)
  return isFullId(loose.trim()) ? loose.trim() : undefined
}

/** More than this is no quicker to read than git is to ask, which looks only at a part of it. */
const MAX_PACKED_BYTES = 64 * 1024

/** The id that a ref holds; undefined when there is none, or it takes git to find out. */
export async function peekRef(folder: string, ref: string): Promise<string | undefined> {
  // Bytes that are no text are read as this, and the name of another ref may have them.
  if (ref.includes('\ufffd')) return undefined
  const look = lookBelow(folder)
  const loose = await orNone(() => look.text(join(folder, ref)))
  if (loose !== undefined) return isFullId(loose.trimEnd()) ? loose.trimEnd() : undefined
  const path = join(folder, 'packed-refs')
  const packed = await orNone(async () => {
    const { size } = await look.atFile(path)
    return size > MAX_PACKED_BYTES ? '' : look.text(path)
  })
  return packed === undefined ? undefined : findPacked(packed, ref)
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
