import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { BlobStream } from '../../platform/git/blob-stream.ts'
import type { CopiedFile } from '../../platform/git/copy-files.ts'
import {
  listEverything,
  TreeTooLarge,
  type ListedEntry,
} from '../../platform/git/list-everything.ts'
import { readTip } from '../../platform/git/tip.ts'
import { findEntry } from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { separate } from './collisions.ts'
import { expandContent, expandPath, tooLarge } from './expand.ts'
import { noRules, parseRules, type TemplateRules } from './rules.ts'
import type { Variables } from './variables.ts'

const RULES = '.gitea/template'
const INPUTS = '.gitea/template.yml'

/**
 * Larger files are copied as they are, whatever the rules say, and so are those that are no text.
 */
const MAX_EXPANDED_FILE = 1024 * 1024
const MAX_EXPANDED = 64 * 1024 * 1024
const MAX_MATCHING_MS = 10_000
/** After so long others get their turn. */
const TURN_MS = 20

/** What the default branch of a template holds. */
export interface TemplateTree {
  readonly entries: readonly ListedEntry[]
  readonly rules: TemplateRules
  /** The text of `.gitea/template.yml`; absent when there is none. */
  readonly inputs: string | undefined
}

/** `undefined` for a repository without content. */
export async function readTemplateTree(
  ctx: Context,
  template: Repository,
): Promise<TemplateTree | undefined> {
  const folder = folderOf(ctx, template)
  const tip = await readTip(folder, template.defaultBranch)
  if (tip === undefined) return undefined
  const entries = await listEverything(ctx.git, folder, tip).catch((error: unknown) => {
    throw error instanceof TreeTooLarge ? templateTooLarge() : error
  })
  const special = entries.filter(
    (entry) => (entry.path === RULES || entry.path === INPUTS) && isRegular(entry),
  )
  const texts = await readSpecial(ctx, folder, special)
  const rules = texts.get(RULES)
  return {
    entries: entries.filter((entry) => !special.includes(entry)),
    rules: rules === undefined ? noRules : parseRules(rules),
    inputs: texts.get(INPUTS),
  }
}

/** The text of `.gitea/template.yml` alone. */
export async function readInputsFile(
  ctx: Context,
  template: Repository,
): Promise<string | undefined> {
  const tip = await readTip(folderOf(ctx, template), template.defaultBranch)
  if (tip === undefined) return undefined
  return readingCode(ctx, template, async (objects) => {
    const tree = await objects.info(`${tip}^{tree}`)
    const entry = tree && (await findEntry(objects, tree.id, INPUTS))
    if (!entry || !isRegular(entry)) return undefined
    const file = await objects.read(entry.id, MAX_EXPANDED_FILE)
    if (!file) throw templateTooLarge()
    return file.content.toString('utf8')
  })
}

async function readSpecial(
  ctx: Context,
  folder: string,
  files: readonly ListedEntry[],
): Promise<ReadonlyMap<string, string>> {
  if (files.some(({ size }) => size > MAX_EXPANDED_FILE)) throw templateTooLarge()
  const texts = new Map<string, string>()
  await readEach(ctx, folder, files, (content, same) => {
    for (const { path } of same) texts.set(path, content.toString('utf8'))
  })
  return texts
}

/** The files of the new repository, in the order of the template's. */
export async function planFiles(
  ctx: Context,
  template: Repository,
  { entries, rules }: TemplateTree,
  variables: Variables,
): Promise<readonly CopiedFile[]> {
  const { kept, listed } = await sortOut(entries, rules)
  const expanded = await expandFiles(ctx, template, listed, variables)
  const files = kept.map((entry): CopiedFile => expanded.get(entry) ?? entry)
  const { kept: apart, dropped } = separate(kept, files)
  if (dropped.length > 0) {
    const about = { template: template.id, dropped }
    ctx.log.info(about, 'files of a template hit links and are left out')
  }
  return apart
}

async function expandFiles(
  ctx: Context,
  template: Repository,
  listed: readonly ListedEntry[],
  variables: Variables,
): Promise<ReadonlyMap<ListedEntry, CopiedFile>> {
  const expanded = new Map<ListedEntry, CopiedFile>()
  let room = MAX_EXPANDED
  await readEach(ctx, folderOf(ctx, template), listed, (whole, same) => {
    if (!isUtf8(whole)) return
    const content = expandContent(whole, variables)
    room -= (content?.length ?? 0) * same.length
    if (room < 0) throw tooLarge()
    for (const file of same) {
      expanded.set(file, { ...file, path: expandBytes(file.path, variables), content })
    }
  })
  return expanded
}

interface Sorted {
  readonly kept: readonly ListedEntry[]
  /** Those of them that are expanded. */
  readonly listed: readonly ListedEntry[]
}

async function sortOut(entries: readonly ListedEntry[], rules: TemplateRules): Promise<Sorted> {
  const kept: ListedEntry[] = []
  const listed: ListedEntry[] = []
  const clock = new Turns()
  let excluded: string | undefined
  for (const entry of entries) {
    await clock.tick()
    const path = toText(entry.path)
    if (excluded !== undefined && entry.path.startsWith(excluded)) continue
    if (rules.excludes(path)) {
      excluded = `${entry.path}/`
      continue
    }
    if (entry.mode === '040000') continue
    kept.push(entry)
    if (isRegular(entry) && entry.size <= MAX_EXPANDED_FILE && rules.expands(path))
      listed.push(entry)
  }
  return { kept, listed }
}

/** Many patterns on many paths take their time: never for long at once, and not for ever. */
class Turns {
  readonly #began = performance.now()
  #turn = this.#began

  async tick(): Promise<void> {
    const now = performance.now()
    if (now - this.#turn < TURN_MS) return
    if (now - this.#began > MAX_MATCHING_MS) throw templateTooLarge()
    await setImmediate()
    this.#turn = performance.now()
  }
}

/** What is in the files, one after the other, and once for those that hold the same. */
async function readEach(
  ctx: Context,
  folder: string,
  files: readonly ListedEntry[],
  use: (content: Buffer, same: readonly ListedEntry[]) => void,
): Promise<void> {
  const byId = Map.groupBy(files, ({ id }) => id)
  const blobs = new BlobStream(ctx.git, folder, [...byId.keys()])
  try {
    for (const same of byId.values()) use(await blobs.whole(), same)
  } finally {
    await blobs.close()
  }
}

function isRegular({ mode }: Pick<ListedEntry, 'mode'>): boolean {
  return mode.startsWith('100')
}

/** A path as people read it; what is no UTF-8 has nothing to expand. */
export function toText(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

function expandBytes(path: string, variables: Variables): string {
  const text = toText(path)
  const expanded = expandPath(text, variables)
  return expanded === text ? path : Buffer.from(expanded).toString('latin1')
}

function templateTooLarge(): Error {
  return invalid('template is too large')
}
