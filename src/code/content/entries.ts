import { loadRevision, readingCode } from '../commits/code.ts'
import { withSizes, type SizedEntry } from '../commits/tree.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { readCommit, readCommits } from '../../platform/git/history.ts'
import { findLastCommits, type LastCommitsOptions } from '../../platform/git/last-commits.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit, TreeEntry } from '../../platform/git/parse.ts'
import type { Revision } from '../../platform/git/revisions.ts'
import {
  findEntry,
  kindOf,
  MAX_TREE_ENTRIES,
  readTree,
  splitPath,
  type PathEntry,
} from '../../platform/git/tree.ts'
import { MAX_POINTER_BYTES, parsePointer, type Pointer } from '../lfs/object.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { tidyPath } from './path.ts'
import { readSubmoduleUrls } from './submodules.ts'

/** What lies at a path, with all that its record shows. */
export interface ContentEntry extends SizedEntry {
  /** Of a file that was asked for by itself, unless it is too large. */
  readonly content?: Buffer | undefined
  /** Of a symbolic link. */
  readonly target?: string | undefined
  readonly submoduleUrl?: string | undefined
  /** Of a file whose bytes lie in Git LFS. */
  readonly pointer?: Pointer | undefined
  readonly lastCommit?: Commit | undefined
}

export interface Contents {
  readonly revision: Revision
  /** One for a file, a list for a folder. */
  readonly found: ContentEntry | readonly ContentEntry[]
}

/** What costs something to find out. */
export interface Included {
  /** Of a file that is asked for by itself. */
  readonly content: boolean
  readonly pointers: boolean
  readonly lastCommits: boolean
}

const usual: Included = { content: true, pointers: false, lastCommits: true }

export async function loadContents(
  ctx: Context,
  repo: Repository,
  ref: string | undefined,
  path: string,
  included = usual,
): Promise<Contents> {
  return readingCode(ctx, repo, async (objects) => {
    const revision = await loadRevision(objects, repo, ref)
    const { treeId } = await readCommit(objects, revision.commitId)
    const entry = await findEntry(objects, treeId, path)
    if (!entry) throw notFound(`object does not exist [id: , rel_path: ${path}]`)
    const look = new Look(ctx, repo, objects, revision.commitId, { included })
    const found =
      kindOf(entry) === 'dir' ? await look.folder(entry) : (await look.files([entry]))[0]
    if (!found) throw notFound()
    return { revision, found }
  })
}

export interface SeveralFiles {
  readonly revision: Revision
  /** In the order of the paths; `undefined` for what is no file there. */
  readonly found: readonly (ContentEntry | undefined)[]
}

/**
 * Files beyond the limits of an answer come without content, and those beyond the limit of items
 * not at all.
 */
export async function loadFiles(
  ctx: Context,
  repo: Repository,
  ref: string | undefined,
  paths: readonly string[],
  maxFiles = ctx.config.api.max_response_items,
): Promise<SeveralFiles> {
  return readingCode(ctx, repo, async (objects) => {
    const revision = await loadRevision(objects, repo, ref)
    const { treeId } = await readCommit(objects, revision.commitId)
    const listed = paths.slice(0, maxFiles).map(tidyPath)
    const entries: PathEntry[] = []
    for (const path of new Set(listed)) {
      const entry = await findEntry(objects, treeId, path)
      if (entry && kindOf(entry) !== 'dir') entries.push(entry)
    }
    const look = new Look(ctx, repo, objects, revision.commitId)
    const files = new Map((await look.files(entries)).map((file) => [file.path, file]))
    return { revision, found: paths.map((path) => files.get(splitPath(tidyPath(path)).join('/'))) }
  })
}

const MAX_NAMED_PATHS = 100
/** No system follows a longer one. */
const MAX_TARGET_BYTES = 4096

interface LookOptions {
  readonly included?: Included
  /** Files are read up to so many bytes, all of them together. */
  readonly room?: number
}

export interface OpenFolder {
  readonly entries: readonly ContentEntry[]
  readonly lastCommit?: Commit | undefined
}

/** Into one commit of a repository. */
export class Look {
  readonly #ctx: Context
  readonly #folder: string
  readonly #objects: ObjectReader
  readonly #commitId: string
  readonly #included: Included
  #room: number
  #submoduleUrls: Promise<ReadonlyMap<string, string>> | undefined

  constructor(
    ctx: Context,
    repo: Repository,
    objects: ObjectReader,
    commitId: string,
    { included = usual, room = ctx.config.api.default_max_response_size }: LookOptions = {},
  ) {
    this.#ctx = ctx
    this.#folder = folderOf(ctx, repo)
    this.#objects = objects
    this.#commitId = commitId
    this.#included = included
    this.#room = room
  }

  async folder({ id, path }: PathEntry): Promise<readonly ContentEntry[]> {
    const entries = await readTree(this.#objects, id)
    return this.entriesOf(path, entries.slice(0, MAX_TREE_ENTRIES))
  }

  /** Of what lies in the folder at `path`, as much as is asked for. */
  async entriesOf(path: string, listed: readonly TreeEntry[]): Promise<readonly ContentEntry[]> {
    return (await this.openFolder(path, listed)).entries
  }

  /**
   * Like `entriesOf`, with the commit that changed the folder last; not of the root, which every
   * commit may change.
   */
  async openFolder(path: string, listed: readonly TreeEntry[]): Promise<OpenFolder> {
    const prefix = path === '' ? '' : `${path}/`
    const entries = listed.map((entry) => ({ ...entry, path: prefix + entry.name }))
    const sized = await withSizes(this.#objects, entries)
    const within = path === '' ? [] : [path]
    const paths = [...within, ...entries.map((entry) => entry.path)]
    const lastCommits = await this.#lastCommits(paths, { within, entriesOf: prefix })
    const shown = sized.map(async (entry) => ({
      ...(await this.#outline(entry)),
      lastCommit: lastCommits.get(entry.path),
    }))
    return { entries: await Promise.all(shown), lastCommit: lastCommits.get(path) }
  }

  /** With what is in them. */
  async files(entries: readonly PathEntry[]): Promise<readonly ContentEntry[]> {
    const paths = entries.map(({ path }) => path)
    // Too many names for the command line: then everything is walked, which a new commit ends at
    // once.
    const within = paths.length > MAX_NAMED_PATHS ? [] : paths
    const lastCommits = await this.#lastCommits(paths, { within })
    const files: ContentEntry[] = []
    for (const entry of await withSizes(this.#objects, entries)) {
      files.push({ ...(await this.#open(entry)), lastCommit: lastCommits.get(entry.path) })
    }
    return files
  }

  async #open(entry: SizedEntry): Promise<ContentEntry> {
    if (entry.kind !== 'file' || !this.#included.content) return this.#outline(entry)
    const most = Math.min(this.#ctx.config.api.default_max_blob_size, this.#room)
    const content = (await this.#objects.read(entry.id, most))?.content
    this.#room -= content?.length ?? 0
    return { ...entry, content, pointer: content && parsePointer(content) }
  }

  /** All but the content of a file. */
  async #outline(entry: SizedEntry): Promise<ContentEntry> {
    if (entry.kind === 'symlink') {
      const found = await this.#objects.read(entry.id, MAX_TARGET_BYTES)
      return { ...entry, target: found?.content.toString('utf8') }
    }
    if (entry.kind === 'submodule') {
      this.#submoduleUrls ??= readSubmoduleUrls(this.#objects, this.#commitId)
      return { ...entry, submoduleUrl: (await this.#submoduleUrls).get(entry.path) }
    }
    return { ...entry, pointer: await this.#findPointer(entry) }
  }

  async #findPointer({ id, kind, size }: SizedEntry): Promise<Pointer | undefined> {
    if (!this.#included.pointers || kind !== 'file' || size > MAX_POINTER_BYTES) return undefined
    const content = (await this.#objects.read(id, MAX_POINTER_BYTES))?.content
    return content && parsePointer(content)
  }

  async #lastCommits(
    paths: readonly string[],
    where: Pick<LastCommitsOptions, 'within' | 'entriesOf'>,
  ): Promise<ReadonlyMap<string, Commit>> {
    if (!this.#included.lastCommits) return new Map()
    const options = { from: this.#commitId, paths, ...where }
    const ids = await findLastCommits(this.#ctx.git, this.#folder, options)
    const commits = await readCommits(this.#objects, [...new Set(ids.values())])
    const byId = new Map(commits.map((commit) => [commit.id, commit]))
    return new Map(
      [...ids].flatMap(([path, id]) => {
        const commit = byId.get(id)
        return commit ? [[path, commit]] : []
      }),
    )
  }
}
