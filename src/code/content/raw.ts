import { findNamedRevision, readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { readCommit } from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Git } from '../../platform/git/run.ts'
import { DOWNLOAD_LIMIT_MS, gitOutput } from '../../platform/git/stream.ts'
import { findEntry, kindOf, splitPath, type PathEntry } from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { ByteRange } from '../../platform/storage/file-storage.ts'
import { findOfKind, placesOf } from './places.ts'

/** Smaller files are read at once, larger ones as they are sent. */
const MAX_BUFFERED = 1024 * 1024

export interface RawFile {
  /** Where it lies in the storage, if that is where it is. */
  readonly key?: string
  /** Whether git is there for as long as it is read. */
  readonly isFromGit?: boolean
  readonly name: string
  readonly id: string
  readonly size: number
  readonly head: Buffer
  readonly open: () => AsyncIterable<Buffer>
  readonly openPart?: (part: ByteRange) => AsyncIterable<Buffer>
}

/** Where a file is looked for: the ref may stand in front of the path. */
export type RawPlace =
  | { readonly kind: 'ref'; readonly ref: string; readonly path: string }
  | { readonly kind: 'branch' | 'tag' | 'commit' | 'any'; readonly refAndPath: string }

export async function loadRawFile(
  ctx: Context,
  repo: Repository,
  place: RawPlace,
  headBytes: number,
): Promise<RawFile> {
  return readingCode(ctx, repo, async (objects) => {
    const entry = await findFile(objects, repo, place)
    if (!entry) throw notFound()
    return readRaw({ git: ctx.git, folder: folderOf(ctx, repo), objects }, entry, headBytes)
  })
}

export interface RawSource {
  readonly git: Git
  readonly folder: string
  readonly objects: ObjectReader
}

/** Of an entry that has been found, in whatever repository. */
export async function readRaw(
  { git, folder, objects }: RawSource,
  { name, id }: PathEntry,
  headBytes: number,
): Promise<RawFile> {
  const info = await objects.info(id)
  if (info?.type !== 'blob') throw notFound()
  const common = { name, id, size: info.size }
  if (info.size <= MAX_BUFFERED) {
    const content = (await objects.read(id))?.content ?? Buffer.alloc(0)
    return { ...common, head: content.subarray(0, headBytes), open: () => once(content) }
  }
  const open = () =>
    gitOutput(git, folder, ['cat-file', 'blob', id], { timeLimitMs: DOWNLOAD_LIMIT_MS })
  return { ...common, isFromGit: true, head: await readHead(open(), headBytes), open }
}

async function findFile(
  objects: ObjectReader,
  repo: Repository,
  place: RawPlace,
): Promise<PathEntry | undefined> {
  for await (const { commitId, path } of candidates(objects, repo, place)) {
    const { treeId } = await readCommit(objects, commitId)
    const entry = await findEntry(objects, treeId, path)
    if (entry && kindOf(entry) !== 'dir' && kindOf(entry) !== 'submodule') return entry
  }
  return undefined
}

interface Candidate {
  readonly commitId: string
  readonly path: string
}

/**
 * The longest leading part that names something comes first; without one it is a path on the
 * default branch.
 */
async function* candidates(
  objects: ObjectReader,
  repo: Repository,
  place: RawPlace,
): AsyncGenerator<Candidate> {
  if (place.kind === 'ref') {
    const revision = await findNamedRevision(objects, repo, place.ref)
    if (revision) yield { commitId: revision.commitId, path: place.path }
    return
  }
  const parts = splitPath(place.refAndPath)
  for await (const found of placesOf(objects, repo, place.kind, parts, parts.length - 1)) {
    yield { commitId: found.revision.commitId, path: found.path }
  }
  if (place.kind !== 'any') return
  const revision = await findNamedRevision(objects, repo, '')
  if (revision) yield { commitId: revision.commitId, path: place.refAndPath }
  const [start = '', ...rest] = parts
  // Last of all, since a folder may be called like the beginning of an id.
  const commit = await findOfKind(objects, repo, 'commit', start)
  if (commit) yield { commitId: commit.commitId, path: rest.join('/') }
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

async function readHead(chunks: AsyncIterable<Buffer>, headBytes: number): Promise<Buffer> {
  const seen: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    seen.push(chunk)
    length += chunk.length
    if (length >= headBytes) break
  }
  return Buffer.concat(seen).subarray(0, headBytes)
}
