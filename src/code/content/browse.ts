import { readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { readCommit } from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit, TreeEntry } from '../../platform/git/parse.ts'
import { findEntry, kindOf, readTree, splitPath, type PathEntry } from '../../platform/git/tree.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { Look, type ContentEntry } from './entries.ts'
import { placesOf, type RefKind } from './places.ts'

/** More entries of a folder are not shown at once, and longer files not at all. */
const MAX_SHOWN_ENTRIES = 1_000
export const MAX_SHOWN_BYTES = 1024 * 1024

/** What somebody looks at who walks through a repository. */
export interface Seen {
  readonly kind: RefKind
  readonly name: string
  readonly commit: Commit
  readonly path: string
  readonly found: SeenFolder | SeenFile
}

export interface SeenFolder {
  readonly type: 'folder'
  /** Folders first. */
  readonly entries: readonly ContentEntry[]
  readonly total: number
  /** The one that changed something in it; none of the root. */
  readonly lastCommit?: Commit | undefined
}

export interface SeenFile {
  readonly type: 'file'
  readonly entry: ContentEntry
}

/** `refAndPath` is the name of a ref of this kind, and what follows it a path there. */
export async function loadSeen(
  ctx: Context,
  repo: Repository,
  kind: RefKind,
  refAndPath: string,
): Promise<Seen> {
  return readingCode(ctx, repo, async (objects) => {
    for await (const { revision, path } of placesOf(objects, repo, kind, splitPath(refAndPath))) {
      const commit = await readCommit(objects, revision.commitId)
      const entry = await findEntry(objects, commit.treeId, path)
      if (!entry) continue
      const look = new Look(ctx, repo, objects, commit.id, { room: MAX_SHOWN_BYTES })
      const found = await seeEntry(objects, look, entry)
      return { kind, name: revision.name, commit, path: entry.path, found }
    }
    throw notFound()
  })
}

async function seeEntry(
  objects: ObjectReader,
  look: Look,
  entry: PathEntry,
): Promise<SeenFolder | SeenFile> {
  if (kindOf(entry) === 'dir') {
    const all = foldersFirst(await readTree(objects, entry.id))
    const open = await look.openFolder(entry.path, all.slice(0, MAX_SHOWN_ENTRIES))
    return { type: 'folder', ...open, total: all.length }
  }
  const [file] = await look.files([entry])
  if (!file) throw notFound()
  return { type: 'file', entry: file }
}

function foldersFirst(entries: readonly TreeEntry[]): readonly TreeEntry[] {
  const isFolder = (entry: TreeEntry) => ['dir', 'submodule'].includes(kindOf(entry))
  return [...entries.filter(isFolder), ...entries.filter((entry) => !isFolder(entry))]
}
