import { link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ObjectFormat } from '../db/columns.ts'
import { hasCode } from '../errors.ts'
import { createRepositoryFolder } from './create.ts'

/**
 * A copy of a repository that shares nothing with it but the bytes on disk: objects never change, so they are linked.
 * References are copied first; whatever they name is there when the objects follow.
 */
export async function copyRepository(
  from: string,
  to: string,
  options: { branch: string; objectFormat: ObjectFormat },
): Promise<void> {
  await createRepositoryFolder(to, options)
  await copyPackedRefs(from, to)
  for (const kind of ['heads', 'tags', 'notes']) {
    await copyFiles(join(from, 'refs', kind), join(to, 'refs', kind), copyFile)
  }
  await copyFiles(join(from, 'objects'), join(to, 'objects'), link)
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

async function copyFile(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from), { flush: true })
}

/** Every file below a folder; what disappears meanwhile (a lock, a temporary file) is nothing to copy. */
async function copyFiles(
  from: string,
  to: string,
  copy: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile() || /^tmp_|\.lock$|\.keep$/.test(entry.name)) continue
    if (entry.parentPath.includes('incoming-')) continue
    const path = join(entry.parentPath, entry.name)
    const target = join(to, path.slice(from.length))
    await mkdir(dirname(target), { recursive: true })
    await copy(path, target).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error
    })
  }
}
