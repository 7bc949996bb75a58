import { keepHistory } from './kept-history.ts'
import type { ObjectReader } from './objects.ts'
import type { TreeEntry } from './parse.ts'
import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

export type EntryKind = 'file' | 'dir' | 'symlink' | 'submodule'

export interface PathEntry extends TreeEntry {
  readonly path: string
}

/** More than this of a tree is not walked. */
export const MAX_TREE_ENTRIES = 50_000

export function kindOf({ mode }: Pick<TreeEntry, 'mode'>): EntryKind {
  if (mode === '040000') return 'dir'
  if (mode === '120000') return 'symlink'
  return mode === '160000' ? 'submodule' : 'file'
}

/** Without empty parts at the ends and in between. */
export function splitPath(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '')
}

/**
 * What lies at `path` below a tree; `undefined` for nothing, and the tree itself for the empty
 * path.
 */
export async function findEntry(
  objects: ObjectReader,
  treeId: string,
  path: string,
): Promise<PathEntry | undefined> {
  const parts = splitPath(path)
  let found: TreeEntry = { mode: '040000', name: '', id: treeId }
  for (const part of parts) {
    if (kindOf(found) !== 'dir') return undefined
    const next = (await readTree(objects, found.id)).find(({ name }) => name === part)
    if (!next) return undefined
    found = next
  }
  return { ...found, path: parts.join('/') }
}

export async function readTree(
  objects: ObjectReader,
  treeId: string,
): Promise<readonly TreeEntry[]> {
  return (await objects.parsed('tree', treeId)) ?? []
}

/**
 * The files in a folder below a tree, not those in its folders; none where there is no such folder.
 */
export async function listFiles(
  objects: ObjectReader,
  treeId: string,
  folder: string,
): Promise<readonly PathEntry[]> {
  const found = await findEntry(objects, treeId, folder)
  if (!found || kindOf(found) !== 'dir') return []
  return (await readTree(objects, found.id))
    .filter((entry) => kindOf(entry) === 'file')
    .map((entry) => ({ ...entry, path: `${folder}/${entry.name}` }))
}

export interface WalkedTree {
  readonly entries: readonly PathEntry[]
  /** Whether the tree has more than was walked. */
  readonly isCut: boolean
}

/**
 * A larger object is read by git, which stops where it is told to: no smaller one has more entries
 * than are walked.
 */
const MAX_READ_BYTES = 1024 * 1024

/** The entries of a tree with their paths, not those of the trees in it. */
export async function listTree(
  git: Git,
  folder: string,
  objects: ObjectReader,
  treeId: string,
): Promise<WalkedTree> {
  const size = await objects.size(treeId)
  if (size === undefined || size > MAX_READ_BYTES) return askTree(git, folder, treeId, [])
  const entries = await readTree(objects, treeId)
  return { entries: entries.map((entry) => ({ ...entry, path: entry.name })), isCut: false }
}

/** A larger tree is walked each time. */
const MAX_KEPT_ENTRIES = 5_000

/** The entries of a tree, or of that of a commit, and of all trees in it, with their paths. */
export async function walkTree(git: Git, folder: string, treeId: string): Promise<WalkedTree> {
  return keepHistory(git, [folder, 'tree', treeId], async () => {
    const value = await askTree(git, folder, treeId, ['-r', '-t'])
    const weight = value.entries.reduce((sum, { path }) => sum + path.length + 200, 0)
    return { value, weight: value.entries.length > MAX_KEPT_ENTRIES ? Infinity : weight }
  })
}

async function askTree(
  git: Git,
  folder: string,
  treeId: string,
  options: readonly string[],
): Promise<WalkedTree> {
  const lines = splitAtNul(gitOutput(git, folder, ['ls-tree', '-z', ...options, treeId]))
  const entries: PathEntry[] = []
  for await (const line of lines) {
    if (entries.length === MAX_TREE_ENTRIES) return { entries, isCut: true }
    const [about = '', ...path] = line.split('\t')
    const [mode = '', , id = ''] = about.split(' ')
    entries.push({ mode, id, name: path.join('\t'), path: path.join('\t') })
  }
  return { entries, isCut: false }
}

export interface SizedFile {
  readonly path: string
  readonly id: string
  readonly bytes: number
}

/** The files of a tree and of the trees in it, without links, with their sizes. */
export async function* listSizedFiles(
  git: Git,
  folder: string,
  treeId: string,
): AsyncGenerator<SizedFile> {
  const options = ['-r', '-z', '--format=%(objectmode) %(objectname) %(objectsize) %(path)']
  for await (const line of splitAtNul(gitOutput(git, folder, ['ls-tree', ...options, treeId]))) {
    const [mode = '', id = '', size = '', ...path] = line.split(' ')
    if (kindOf({ mode }) === 'file') yield { path: path.join(' '), id, bytes: Number(size) }
  }
}
