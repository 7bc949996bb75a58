import type { Context } from '../../platform/context.ts'
import type { AttributesFile } from '../../platform/git/attributes.ts'
import { BlobStream } from '../../platform/git/blob-stream.ts'
import { listChangedFiles, type ChangedFile } from '../../platform/git/changed-blobs.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import { GitError } from '../../platform/git/run.ts'
import { listSizedFiles, type SizedFile } from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { ATTRIBUTES_FILE, withLinguistAttributes, type AttributesOf } from './attributes.ts'
import { judgePaths, judgeTexts, LOOKED_BYTES, rulesVersion } from './judge.ts'
import type { LanguageCount } from './queries.ts'

/** Of larger files only the name is looked at. */
const MAX_LOOKED_FILE = 1024 * 1024
/** So many paths, and so many texts, go to the thread at once. */
const PATHS_AT_ONCE = 2_000
const TEXTS_AT_ONCE = 64
/** Where more has changed, counting all of it anew is no more work. */
const MAX_CHANGES = 5_000

/** What was found in a tree, from which the next one is counted. */
export interface LanguageTotals {
  readonly treeId: string
  /** By which rules it was counted. */
  readonly rules: string
  /** Bytes of code by language. */
  readonly totals: Readonly<Record<string, number>>
}

export interface FoundLanguages {
  /** Most bytes first. */
  readonly languages: readonly LanguageCount[]
  readonly counted: LanguageTotals
}

interface Totals {
  readonly code: Map<string, number>
  /** Of the first language that is data or prose, which counts where there is no code. */
  other?: { readonly language: string; bytes: number }
}

/** Only what has changed since `before` is looked at, where that can be told. */
export async function countLanguages(
  ctx: Context,
  repo: Repository,
  treeId: string,
  before: LanguageTotals | undefined,
): Promise<FoundLanguages> {
  const changed = before && (await countChanges(ctx, repo, treeId, before))
  const totals = changed ?? (await countAll(ctx, repo, treeId))
  const code = [...totals.code]
    .map(([language, bytes]) => ({ language, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || (a.language < b.language ? -1 : 1))
  const byLanguage = code.map(({ language, bytes }) => [language, bytes] as const)
  return {
    languages: code.length === 0 && totals.other ? [totals.other] : code,
    counted: { treeId, rules: rulesVersion(), totals: Object.fromEntries(byLanguage) },
  }
}

async function countAll(ctx: Context, repo: Repository, treeId: string): Promise<Totals> {
  const totals: Totals = { code: new Map() }
  const files = () => listSizedFiles(ctx.git, folderOf(ctx, repo), treeId)
  const attributes: AttributesFile[] = []
  for await (const { path, id } of files()) {
    if (isAttributesFile(path)) attributes.push({ path, id })
  }
  await withLinguistAttributes(ctx, repo, attributes, async (attributesOf) => {
    for await (const some of inParts(files(), PATHS_AT_ONCE)) {
      await addFiles(ctx, repo, { files: some, attributesOf, totals, sign: 1 })
    }
  })
  return totals
}

/** Nothing where all must be counted. */
async function countChanges(
  ctx: Context,
  repo: Repository,
  treeId: string,
  before: LanguageTotals,
): Promise<Totals | undefined> {
  if (before.rules !== rulesVersion()) return undefined
  const code = new Map(Object.entries(before.totals))
  // Which data or prose comes first is known of a whole tree only.
  if (code.size === 0) return undefined
  const changes = await listChanges(ctx, repo, before.treeId, treeId)
  if (!changes) return undefined
  const totals: Totals = { code }
  const attributes = await listAttributesFiles(ctx, repo, treeId)
  await withLinguistAttributes(ctx, repo, attributes, async (attributesOf) => {
    await addFiles(ctx, repo, { files: changes.removed, attributesOf, totals, sign: -1 })
    await addFiles(ctx, repo, { files: changes.added, attributesOf, totals, sign: 1 })
  })
  const isSound = [...code.values()].every((bytes) => bytes >= 0)
  return isSound && [...code.values()].some((bytes) => bytes > 0) ? totals : undefined
}

async function listChanges(ctx: Context, repo: Repository, from: string, to: string) {
  const folder = folderOf(ctx, repo)
  try {
    const changes = await listChangedFiles(ctx.git, folder, from, to, MAX_CHANGES)
    if (!changes) return undefined
    const all = [...changes.removed, ...changes.added]
    if (all.some(({ path }) => isAttributesFile(path))) return undefined
    return await withObjects(ctx.git, folder, async (objects) => {
      const sized = async (files: readonly ChangedFile[]) =>
        Promise.all(files.map(async (file) => ({ ...file, bytes: await sizeOf(file.id) })))
      const sizeOf = async (id: string) => (await objects.size(id)) ?? 0
      return { removed: await sized(changes.removed), added: await sized(changes.added) }
    })
  } catch (error) {
    // The tree before is gone, as after a push by force and a collection of garbage.
    if (error instanceof GitError && error.code === undefined) return undefined
    throw error
  }
}

async function listAttributesFiles(
  ctx: Context,
  repo: Repository,
  treeId: string,
): Promise<readonly AttributesFile[]> {
  const found: AttributesFile[] = []
  for await (const { path, id } of listSizedFiles(ctx.git, folderOf(ctx, repo), treeId)) {
    if (isAttributesFile(path)) found.push({ path, id })
  }
  return found
}

function isAttributesFile(path: string): boolean {
  return path === ATTRIBUTES_FILE || path.endsWith(`/${ATTRIBUTES_FILE}`)
}

interface Adding {
  readonly files: readonly SizedFile[]
  readonly attributesOf: AttributesOf
  readonly totals: Totals
  readonly sign: 1 | -1
}

async function addFiles(ctx: Context, repo: Repository, adding: Adding): Promise<void> {
  const { totals, sign } = adding
  const files = adding.files.filter(({ bytes }) => bytes > 0)
  if (files.length === 0) return
  const attributes = await adding.attributesOf(files.map(({ path }) => path))
  const asked = files.map(({ path }) => ({ path, attributes: attributes.get(path) }))
  const verdicts = await judgePaths(asked)
  const read: Asked[] = []
  for (const [index, file] of files.entries()) {
    const verdict = verdicts[index]
    if (verdict === 'needed') read.push({ ...file, attributes: attributes.get(file.path) })
    else if (typeof verdict === 'object') add(totals.code, verdict.language, sign * file.bytes)
  }
  await addTexts(ctx, repo, { ...adding, files: read })
}

type Asked = SizedFile & Parameters<typeof judgePaths>[0][number]

async function addTexts(
  ctx: Context,
  repo: Repository,
  { files, totals, sign }: Omit<Adding, 'files'> & { readonly files: readonly Asked[] },
): Promise<void> {
  if (files.length === 0) return
  const small = files.filter(({ bytes }) => bytes <= MAX_LOOKED_FILE)
  const blobs = new BlobStream(
    ctx.git,
    folderOf(ctx, repo),
    small.map(({ id }) => id),
  )
  try {
    for (let from = 0; from < files.length; from += TEXTS_AT_ONCE) {
      const some = files.slice(from, from + TEXTS_AT_ONCE)
      const texts: (Asked & { readonly text: string })[] = []
      for (const file of some) texts.push({ ...file, text: await beginningOf(blobs, file) })
      const counted = await judgeTexts(texts)
      for (const [index, { bytes }] of some.entries()) {
        const found = counted[index]
        if (!found) continue
        if (found.isCode) add(totals.code, found.language, sign * bytes)
        else addOther(totals, found.language, bytes)
      }
    }
  } finally {
    await blobs.close()
  }
}

async function beginningOf(blobs: BlobStream, { bytes }: SizedFile): Promise<string> {
  if (bytes > MAX_LOOKED_FILE) return ''
  return (await blobs.whole()).toString('utf8', 0, LOOKED_BYTES)
}

function add(totals: Map<string, number>, language: string, bytes: number): void {
  totals.set(language, (totals.get(language) ?? 0) + bytes)
}

function addOther(totals: Totals, language: string, bytes: number): void {
  totals.other ??= { language, bytes: 0 }
  if (totals.other.language === language) totals.other.bytes += bytes
}

async function* inParts<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T[]> {
  let part: T[] = []
  for await (const one of all) {
    part.push(one)
    if (part.length < most) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
