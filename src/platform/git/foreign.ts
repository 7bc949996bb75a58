import { copyFile, link, lstat, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { ObjectFormat } from '../db/columns.ts'
import { invalid } from '../errors.ts'
import { createRepositoryFolder } from './create.ts'
import { isRefName } from './ref-name.ts'

/** Of the few small files that are read here. */
const MAX_BYTES = 64 * 1024

/**
 * Loose, or a pack with its index. Indexes of other kinds are git's to make, and alternates lead
 * elsewhere.
 */
const objectFiles = /^(?:[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]{40,64}\.(?:pack|idx))$/

/**
 * Makes `to`, on which git can be started, of a repository that somebody has left in `from`, on
 * which it must not be: its settings and hooks name programs, and its links lead anywhere. Only
 * objects and references are taken, and only from plain files in real folders; nobody has checked
 * them.
 */
export async function takeForeign(
  from: string,
  to: string,
  { branch }: { readonly branch: string },
): Promise<void> {
  await assertBare(from)
  if (await isFolder(join(from, 'reftable'))) {
    throw invalid('its references are kept as reftable: git refs migrate --ref-format=files')
  }
  const head = (await readHead(from)) ?? branch
  await createRepositoryFolder(to, { branch: head, objectFormat: await readObjectFormat(from) })
  await takeFile(join(from, 'packed-refs'), join(to, 'packed-refs'))
  for (const kind of ['heads', 'tags', 'notes']) {
    await takeFiles(join(from, 'refs', kind), join(to, 'refs', kind))
  }
  await takeFiles(join(from, 'objects'), join(to, 'objects'), objectFiles)
  // What is missing is left out above, which would be everything of one that was removed meanwhile.
  await assertBare(from)
}

async function assertBare(folder: string): Promise<void> {
  for (const name of ['objects', 'refs']) {
    if (!(await isFolder(join(folder, name)))) throw invalid('it is no bare repository')
  }
}

async function readHead(folder: string): Promise<string | undefined> {
  const [, branch = ''] = /^ref: refs\/heads\/(.+)$/m.exec(await readSmall(folder, 'HEAD')) ?? []
  return isRefName(branch) ? branch : undefined
}

async function readObjectFormat(folder: string): Promise<ObjectFormat> {
  const text = await readSmall(folder, 'config')
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(text) ? 'sha256' : 'sha1'
}

async function readSmall(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() && found.size <= MAX_BYTES ? readFile(path, 'utf8') : ''
}

/** Not one that a link leads to. */
async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}

async function takeFiles(from: string, to: string, wanted?: RegExp): Promise<void> {
  if (!(await isFolder(from))) return
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const inside = relative(from, path)
    if (entry.isFile() && (wanted?.test(inside) ?? true)) await takeFile(path, join(to, inside))
  }
}

/**
 * Objects never change, and a reference is replaced and not written to: where links can be made,
 * nothing is copied.
 */
async function takeFile(from: string, to: string): Promise<void> {
  if (!(await lstat(from).catch(() => undefined))?.isFile()) return
  await makeFolder(dirname(to))
  await link(from, to).catch(() => copyFile(from, to))
}
