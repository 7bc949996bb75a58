import { hash } from 'node:crypto'
import type { ObjectFormat } from '../../platform/db/columns.ts'
import { invalid, notFound, type AppError } from '../../platform/errors.ts'
import type { WrittenFile } from '../../platform/git/commit-files.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import {
  findEntry,
  kindOf,
  readTree,
  type EntryKind,
  type PathEntry,
} from '../../platform/git/tree.ts'

export interface OverlaidFile {
  readonly id: string
  readonly mode: string
  readonly kind: EntryKind
}

/** A tree with changes that are not in git yet: each operation sees what those before it did. */
export class Overlay {
  readonly #objects: ObjectReader
  readonly #treeId: string | undefined
  readonly #format: ObjectFormat
  readonly #changes = new Map<string, WrittenFile & { readonly id: string }>()
  /** Folders in which something changed, with how many files were written below each. */
  readonly #folders = new Map<string, number>()
  /** What was written, by its id. */
  readonly #written = new Map<string, Uint8Array>()

  constructor(objects: ObjectReader, treeId: string | undefined, format: ObjectFormat) {
    this.#objects = objects
    this.#treeId = treeId
    this.#format = format
  }

  get files(): readonly WrittenFile[] {
    const removed = [...this.#changes.values()].filter(({ content }) => content === undefined)
    const written = [...this.#changes.values()].filter(({ content }) => content !== undefined)
    // A file that is gone makes room for a folder of its name.
    return [...removed, ...written]
  }

  async find(path: string): Promise<OverlaidFile | undefined> {
    const change = this.#changes.get(path)
    if (change?.content !== undefined) {
      return { id: change.id, mode: change.mode, kind: kindOf(change) }
    }
    if ((this.#folders.get(path) ?? 0) > 0) return { id: '', mode: '040000', kind: 'dir' }
    if (change || this.#treeId === undefined) return undefined
    const entry = await findEntry(this.#objects, this.#treeId, path)
    if (!entry || (kindOf(entry) === 'dir' && (await this.#isEmptied(entry)))) return undefined
    return { ...entry, kind: kindOf(entry) }
  }

  /** Git knows no empty folders: the last file takes its folder with it. */
  async #isEmptied({ id, path }: PathEntry): Promise<boolean> {
    if (!this.#folders.has(path)) return false
    for (const entry of await readTree(this.#objects, id)) {
      const inner = { ...entry, path: `${path}/${entry.name}` }
      const isGone =
        kindOf(entry) === 'dir' ? await this.#isEmptied(inner) : this.#changes.has(inner.path)
      if (!isGone) return false
    }
    return true
  }

  /** The file, which must be what the caller believes it is. */
  async load(path: string, sha: string): Promise<OverlaidFile> {
    const file = await this.find(path)
    if (!file)
      throw notFound(`object does not exist [id: , rel_path: ${path}]`, { reason: 'stale' })
    if (file.kind === 'dir' || file.kind === 'submodule') {
      throw invalid(
        `a ${file.kind === 'dir' ? 'directory' : 'submodule'} is no file [path: ${path}]`,
        { reason: 'stale' },
      )
    }
    if (sha === '') throw invalid('a SHA or commit ID must be proved when updating a file')
    if (sha !== file.id) {
      throw invalid(`sha does not match [given: ${sha}, expected: ${file.id}]`, { reason: 'stale' })
    }
    return file
  }

  /** Whether a file can lie there at all. */
  async assertPlaceFor(path: string): Promise<void> {
    const parts = path.split('/')
    for (let length = 1; length < parts.length; length++) {
      const above = parts.slice(0, length).join('/')
      const kind = (await this.find(above))?.kind
      if (kind === undefined || kind === 'dir') continue
      const what = kind === 'symlink' ? 'symbolic link' : kind
      throw inTheWay(`a ${what} exists where you’re trying to create a subdirectory`, above)
    }
    const kind = (await this.find(path))?.kind
    if (kind === 'dir' || kind === 'submodule') {
      const what = kind === 'dir' ? 'directory' : kind
      throw inTheWay(`a ${what} exists where you’re trying to create a file`, path)
    }
  }

  write(path: string, content: Uint8Array, mode = '100644'): void {
    const id = blobId(this.#format, content)
    this.#written.set(id, content)
    this.#change({ path, content, mode, id })
  }

  /** Puts a blob that is there already at another path. */
  copy(path: string, { id, mode }: OverlaidFile): void {
    this.#change({ path, content: this.#written.get(id) ?? id, mode, id })
  }

  remove(path: string): void {
    this.#change({ path, content: undefined, mode: '', id: '' })
  }

  #change(file: WrittenFile & { readonly id: string }): void {
    const before = this.#changes.get(file.path)
    this.#changes.set(file.path, file)
    const more = Number(file.content !== undefined) - Number(before?.content !== undefined)
    for (const folder of foldersOf(file.path)) {
      this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + more)
    }
  }
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

function inTheWay(message: string, path: string): AppError {
  return invalid(`${message} [path: ${path}]`, { reason: 'path_blocked' })
}

function blobId(format: ObjectFormat, content: Uint8Array): string {
  return hash(format, Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]), 'hex')
}
