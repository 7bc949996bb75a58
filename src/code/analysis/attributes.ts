import { readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import {
  withAttributes,
  type AttributesFile,
  type ReadAttributes,
} from '../../platform/git/attributes.ts'
import { keepHistory } from '../../platform/git/kept-history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { GitError } from '../../platform/git/run.ts'
import { kindOf, readTree, splitPath } from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { LinguistAttributes } from './linguist/rules.ts'

const names = [
  'linguist-language',
  'gitlab-language',
  'linguist-vendored',
  'linguist-generated',
  'linguist-documentation',
  'linguist-detectable',
]

export const ATTRIBUTES_FILE = '.gitattributes'
/** Longer ones say nothing, and what comes after so many. */
const MAX_BYTES = 256 * 1024
const MAX_FILES = 1_000
/** Patterns can be made that take git long. */
const COUNTING_LIMIT_MS = 60_000
const PAGE_LIMIT_MS = 2_000

export type AttributesOf = (
  paths: readonly string[],
) => Promise<ReadonlyMap<string, LinguistAttributes>>

/**
 * Does `work` with what these `.gitattributes` say of languages; without any where they are silent.
 */
export async function withLinguistAttributes<T>(
  ctx: Context,
  repo: Repository,
  all: readonly AttributesFile[],
  work: (attributesOf: AttributesOf) => Promise<T>,
): Promise<T> {
  const files = await readingCode(ctx, repo, (objects) => thoseThatSpeak(objects, all))
  if (files.length === 0) return work(() => Promise.resolve(new Map()))
  const question = { files, names, timeLimitMs: COUNTING_LIMIT_MS }
  return withAttributes(ctx.git, folderOf(ctx, repo), question, (read) =>
    work((paths) => readLinguist(read, paths)),
  )
}

/** What `.gitattributes` of a tree call the language of one of its files. */
export async function languageAttribute(
  ctx: Context,
  repo: Repository,
  { treeId, path }: { readonly treeId: string; readonly path: string },
): Promise<string | undefined> {
  const files = await readingCode(ctx, repo, async (objects) =>
    thoseThatSpeak(objects, await listAbove(objects, treeId, path)),
  )
  if (files.length === 0) return undefined
  const folder = folderOf(ctx, repo)
  const kept = await keepHistory(ctx.git, [folder, 'language', files, path], async () => {
    const question = { files, names, timeLimitMs: PAGE_LIMIT_MS }
    const language = await withAttributes(ctx.git, folder, question, (read) =>
      readLinguist(read, [path]),
    )
    const value = { language: language.get(path)?.language }
    return { value, weight: 200 }
  })
  return kept.language
}

/** Those in its folder and in all above it, the root first. */
async function listAbove(
  objects: ObjectReader,
  treeId: string,
  path: string,
): Promise<readonly AttributesFile[]> {
  const found: AttributesFile[] = []
  let folder = ''
  let id = treeId
  for (const part of splitPath(path)) {
    const entries = await readTree(objects, id)
    const file = entries.find((entry) => entry.name === ATTRIBUTES_FILE)
    if (file && kindOf(file) === 'file') found.push({ path: folder + file.name, id: file.id })
    const next = entries.find((entry) => entry.name === part)
    if (!next || kindOf(next) !== 'dir') break
    folder += `${part}/`
    id = next.id
  }
  return found
}

/** Most only say how lines end. */
async function thoseThatSpeak(
  objects: ObjectReader,
  files: readonly AttributesFile[],
): Promise<readonly AttributesFile[]> {
  const looked = files.slice(0, MAX_FILES)
  const speak = await Promise.all(
    looked.map(async ({ id }) => {
      const text = (await objects.read(id, MAX_BYTES))?.content.toString('latin1') ?? ''
      return /linguist-|gitlab-language/.test(text)
    }),
  )
  return looked.filter((_file, index) => speak[index])
}

/** Where git takes too long for them, they say nothing. */
async function readLinguist(
  read: ReadAttributes,
  paths: readonly string[],
): Promise<ReadonlyMap<string, LinguistAttributes>> {
  try {
    const found = await read(paths)
    return new Map(Array.from(found, ([path, values]) => [path, toAttributes(values)]))
  } catch (error) {
    if (error instanceof GitError && error.code === undefined) return new Map()
    throw error
  }
}

function toAttributes(values: ReadonlyMap<string, string>): LinguistAttributes {
  const language = nameIn(values, 'linguist-language') ?? nameIn(values, 'gitlab-language')
  return {
    ...(language === undefined ? {} : { language }),
    ...flag(values, 'vendored'),
    ...flag(values, 'generated'),
    ...flag(values, 'documentation'),
    ...flag(values, 'detectable'),
  }
}

/** GitLab's may have options behind a question mark. */
function nameIn(values: ReadonlyMap<string, string>, name: string): string | undefined {
  const value = values.get(name)
  if (value === undefined || value === 'set' || value === 'unset') return undefined
  return value.split('?', 1)[0] || undefined
}

function flag<Name extends string>(
  values: ReadonlyMap<string, string>,
  name: Name,
): { readonly [Key in Name]?: boolean } {
  const value = values.get(`linguist-${name}`)
  if (value === 'set' || value === 'true') return { [name]: true } as { [Key in Name]: boolean }
  if (value === 'unset' || value === 'false') return { [name]: false } as { [Key in Name]: boolean }
  return {}
}
