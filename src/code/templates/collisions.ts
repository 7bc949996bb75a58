import { invalid } from '../../platform/errors.ts'
import type { CopiedFile } from '../../platform/git/copy-files.ts'
import type { ListedEntry } from '../../platform/git/list-everything.ts'

export interface Separated {
  readonly kept: readonly CopiedFile[]
  /** Paths of files that would have come to lie on a link, or behind one. */
  readonly dropped: readonly string[]
}

/**
 * Files that have got new paths (the nth of `files` was the nth of `before`) must be able to lie
 * beside all others.
 */
export function separate(before: readonly ListedEntry[], files: readonly CopiedFile[]): Separated {
  const moved = files.filter((file, index) => file.path !== before[index]?.path)
  if (moved.length === 0) return { kept: files, dropped: [] }
  const links = new Set(files.filter(({ mode }) => mode === '120000').map(({ path }) => path))
  const hits = new Set(
    moved.filter(({ path }) => withParents(path).some((each) => links.has(each))),
  )
  const kept = files.filter((file) => !hits.has(file))
  assertApart(kept)
  return { kept, dropped: [...hits].map(({ path }) => path) }
}

/** Each path once, and none of them a folder that another needs. */
function assertApart(files: readonly CopiedFile[]): void {
  const paths = new Set(files.map(({ path }) => path))
  const isApart =
    paths.size === files.length &&
    files.every(({ path }) => parentsOf(path).every((parent) => !paths.has(parent)))
  if (!isApart) throw invalid('template expansion produced a duplicate path')
}

function withParents(path: string): readonly string[] {
  return [...parentsOf(path), path]
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
