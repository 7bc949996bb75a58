import { link, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat } from '../db/columns.ts'
import { hasCode } from '../errors.ts'
import { copyTree } from '../storage/copy-tree.ts'
import { copyObjects, isNoLock } from './copy-live.ts'
import { createRepositoryFolder } from './create.ts'

/**
 * A copy of a repository that shares nothing with it but the bytes on disk: objects never change,
 * so they are linked. It is whole whatever goes on meanwhile: loose refs are copied first, then
 * those that were packed, then the objects they lead to.
 */
export async function copyRepository(
  from: string,
  to: string,
  options: { branch: string; objectFormat: ObjectFormat },
): Promise<void> {
  await createRepositoryFolder(to, options)
  const how = { isWanted: isNoLock, copy: copyFlushed }
  for (const kind of ['refs/heads', 'refs/tags', 'refs/notes']) {
    await copyTree(join(from, kind), join(to, kind), how)
  }
  await copyPackedRefs(from, to)
  await copyObjects(join(from, 'objects'), join(to, 'objects'), { copy: linkOnce })
}

/** Those of users; what the server keeps for itself stays where it is. */
async function copyPackedRefs(from: string, to: string): Promise<void> {
  const text = await readFile(join(from, 'packed-refs'), 'utf8').catch(() => '')
  if (text === '') return
  const lines = text.split('\n')
  const kept = lines.filter((line, index) => {
    const ref = line.startsWith('^') ? (lines[index - 1] ?? '') : line
    return line.startsWith('#') || / refs\/(heads|tags|notes)\//.test(ref)
  })
  await writeFile(join(to, 'packed-refs'), `${kept.join('\n')}\n`, { flush: true })
}

async function copyFlushed(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from), { flush: true })
}

async function linkOnce(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
}
