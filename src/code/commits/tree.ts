import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { readCommit } from '../../platform/git/history.ts'
import type { GitObject, ObjectInfo, ObjectReader } from '../../platform/git/objects.ts'
import { parseTag, type Tag } from '../../platform/git/parse.ts'
import { isFullId } from '../../platform/git/revisions.ts'
import {
  kindOf,
  listTree,
  walkTree,
  type EntryKind,
  type PathEntry,
} from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findNamedRevision, readingCode } from './code.ts'

export interface SizedEntry extends PathEntry {
  readonly kind: EntryKind
  /** 0 for what is no file. */
  readonly size: number
}

export interface TreePage {
  /** Of the commit when one was named, else of the tree. */
  readonly id: string
  readonly entries: readonly SizedEntry[]
  readonly number: number
  readonly total: number
  readonly hasMore: boolean
}

export interface TreeOptions {
  readonly recursive: boolean
  readonly number: number
  readonly limit: number
}

export async function loadTree(
  ctx: Context,
  repo: Repository,
  name: string,
  { recursive, number, limit }: TreeOptions,
): Promise<TreePage> {
  return readingCode(ctx, repo, async (objects) => {
    const found = await findTreeish(objects, repo, name)
    if (!found) throw new AppError('bad_request', `sha not found [${name}]`)
    const { id, treeId } = found
    const folder = folderOf(ctx, repo)
    const { entries, isCut } = recursive
      ? await walkTree(ctx.git, folder, treeId)
      : await listTree(ctx.git, folder, objects, treeId)
    const offset = (number - 1) * limit
    const page = entries.slice(offset, offset + limit)
    return {
      id,
      entries: await withSizes(objects, page),
      number,
      total: entries.length,
      hasMore: isCut || offset + page.length < entries.length,
    }
  })
}

/** One question for each file, all of them asked before the first answer is waited for. */
export async function withSizes(
  objects: ObjectReader,
  entries: readonly PathEntry[],
): Promise<readonly SizedEntry[]> {
  return Promise.all(
    entries.map(async (entry) => {
      const kind = kindOf(entry)
      const isFile = kind === 'file' || kind === 'symlink'
      return { ...entry, kind, size: isFile ? ((await objects.size(entry.id)) ?? 0) : 0 }
    }),
  )
}

async function findTreeish(
  objects: ObjectReader,
  repo: Repository,
  name: string,
): Promise<{ readonly id: string; readonly treeId: string } | undefined> {
  const revision = await findNamedRevision(objects, repo, name)
  if (revision) return readCommit(objects, revision.commitId)
  const id = name.toLowerCase()
  const tree = /^[0-9a-f]{4,64}$/.test(id) ? await objects.info(`${id}^{tree}`) : undefined
  return tree && { id: tree.id, treeId: tree.id }
}

/** Its content is left out where it is larger than `maxBytes`. */
export async function loadBlob(
  ctx: Context,
  repo: Repository,
  id: string,
  maxBytes: number,
): Promise<ObjectInfo & { readonly content: Buffer | undefined }> {
  return readingCode(ctx, repo, async (objects) => {
    const info = isFullId(id.toLowerCase()) ? await objects.info(id) : undefined
    if (info?.type !== 'blob') throw unknownObject(id)
    const blob: GitObject | undefined = await objects.read(info.id, maxBytes)
    return { ...info, content: blob?.content }
  })
}

export async function loadTagObject(ctx: Context, repo: Repository, id: string): Promise<Tag> {
  return readingCode(ctx, repo, async (objects) => {
    const object = isFullId(id.toLowerCase()) ? await objects.read(id) : undefined
    if (object?.type !== 'tag') throw unknownObject(id)
    return parseTag(object)
  })
}

function unknownObject(id: string): AppError {
  return new AppError('bad_request', `object does not exist [id: ${id}, rel_path: ]`)
}
