import type { ObjectReader } from './objects.ts'
import { isRefName } from './ref-name.ts'

/** A commit, and what somebody called it. */
export interface Revision {
  readonly kind: 'branch' | 'tag' | 'commit'
  readonly name: string
  readonly commitId: string
}

export interface RevisionOptions {
  /** What `HEAD` stands for. */
  readonly defaultBranch: string
  /** Whether the beginning of an id is enough. */
  readonly shortIds?: boolean
}

/**
 * Which commit `text` means: an id, a branch, a tag, the beginning of an id, in this order; the
 * letter case of ids does not count. References are looked up by their full names, so that none can
 * pass for an id or for an option.
 */
export async function findRevision(
  objects: ObjectReader,
  text: string,
  { defaultBranch, shortIds = true }: RevisionOptions,
): Promise<Revision | undefined> {
  if (text === 'HEAD') return findBranch(objects, defaultBranch)
  if (!isRefName(text)) return undefined
  const id = text.toLowerCase()
  if (isFullId(id)) {
    const commitId = await findCommitId(objects, id)
    if (commitId !== undefined) return { kind: 'commit', name: id, commitId }
  }
  const named = (await findFullName(objects, text)) ?? (await findBranch(objects, text))
  if (named) return named
  const tag = await findTag(objects, text)
  if (tag || !shortIds || !/^[0-9a-f]{4,64}$/.test(id)) return tag
  const commitId = await findCommitId(objects, id)
  return commitId === undefined ? undefined : { kind: 'commit', name: id, commitId }
}

export function isFullId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

export async function findBranch(
  objects: ObjectReader,
  name: string,
): Promise<Revision | undefined> {
  return findNamed(objects, 'branch', 'refs/heads/', name)
}

export async function findTag(objects: ObjectReader, name: string): Promise<Revision | undefined> {
  return findNamed(objects, 'tag', 'refs/tags/', name)
}

async function findFullName(objects: ObjectReader, text: string): Promise<Revision | undefined> {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(text) ?? []
  if (name === undefined) return undefined
  return kind === 'heads' ? findBranch(objects, name) : findTag(objects, name)
}

async function findNamed(
  objects: ObjectReader,
  kind: 'branch' | 'tag',
  prefix: string,
  name: string,
): Promise<Revision | undefined> {
  if (!isRefName(name)) return undefined
  const commitId = await objects.commitOf(prefix + name)
  return commitId === undefined ? undefined : { kind, name, commitId }
}

async function findCommitId(objects: ObjectReader, name: string): Promise<string | undefined> {
  return (await objects.info(`${name}^{commit}`))?.id
}
