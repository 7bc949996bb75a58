import { isUtf8 } from 'node:buffer'
import { giveWay } from '../../platform/concurrency/give-way.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { listFiles, type PathEntry } from '../../platform/git/tree.ts'
import { YamlError, type YamlBudget } from '../../platform/parsing/yaml.ts'
import { defaultConfig, readConfig, type ReadConfig } from './config.ts'
import { TemplateError } from './error.ts'
import { parseTemplate, type IssueTemplate } from './template.ts'

/** A file that is no template though it should be, and why. */
export interface RefusedFile {
  readonly path: string
  readonly problem: string
}

/** What a commit says about new issues. */
export interface IssueFiles {
  readonly templates: readonly IssueTemplate[]
  readonly failures: readonly RefusedFile[]
  /** Absent when there is no file. */
  readonly config: (ReadConfig & { readonly path: string }) | undefined
}

export const noIssueFiles: IssueFiles = { templates: [], failures: [], config: undefined }

const folders = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((parent) => [
  `${parent}ISSUE_TEMPLATE`,
  `${parent}issue_template`,
])
const configFolders = folders.filter((folder) => /^\.git(?:ea|hub)\//.test(folder))

const MAX_TEMPLATES = 100
const TOO_MANY = `there are more than ${MAX_TEMPLATES} templates`
const UNREADABLE = 'the file is too large, or not in UTF-8'
const MAX_FILE_BYTES = 8 * 1024 * 1024
const MAX_READ_BYTES = 1024 * 1024
/** For all files of a repository together. */
const MAX_LEXEMES = 60_000

/** Everything in one go: whoever asks for one of the three answers asks for the next soon. */
export async function findIssueFiles(objects: ObjectReader, commitId: string): Promise<IssueFiles> {
  const tree = await objects.info(`${commitId}^{tree}`)
  if (!tree) return noIssueFiles
  const entries: PathEntry[] = []
  for (const folder of folders) entries.push(...(await listFiles(objects, tree.id, folder)))
  const budget = { lexemes: MAX_LEXEMES }
  const config = await findConfig(objects, entries, budget)
  return { ...(await readTemplates(objects, entries.filter(isTemplate), budget)), config }
}

function isTemplate({ name }: PathEntry): boolean {
  return /\.(?:md|yaml|yml)$/.test(name) && name !== 'config.yaml' && name !== 'config.yml'
}

async function readTemplates(
  objects: ObjectReader,
  entries: readonly PathEntry[],
  budget: YamlBudget,
): Promise<Pick<IssueFiles, 'templates' | 'failures'>> {
  const templates: IssueTemplate[] = []
  const failures: RefusedFile[] = []
  for (const entry of entries.slice(0, MAX_TEMPLATES)) {
    await giveWay()
    const read = await readTemplate(objects, entry, budget)
    if ('problem' in read) failures.push(read)
    else templates.push(read)
  }
  for (const { path } of entries.slice(MAX_TEMPLATES)) failures.push({ path, problem: TOO_MANY })
  return { templates, failures }
}

async function readTemplate(
  objects: ObjectReader,
  entry: PathEntry,
  budget: YamlBudget,
): Promise<IssueTemplate | RefusedFile> {
  const { path } = entry
  const text = await readText(objects, entry)
  if (text === undefined) return { path, problem: UNREADABLE }
  try {
    return await parseTemplate(entry.path, text, budget)
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof TemplateError)) throw error
    return { path, problem: error.message }
  }
}

/** The first file there is; no other is tried when it is bad. */
async function findConfig(
  objects: ObjectReader,
  entries: readonly PathEntry[],
  budget: YamlBudget,
): Promise<IssueFiles['config']> {
  const candidates = configFolders.flatMap((folder) => [
    `${folder}/config.yaml`,
    `${folder}/config.yml`,
  ])
  const path = candidates.find((candidate) => entries.some((entry) => entry.path === candidate))
  const entry = entries.find((candidate) => candidate.path === path)
  if (!entry) return undefined
  const text = await readText(objects, entry)
  const read =
    text === undefined
      ? { config: defaultConfig, problem: UNREADABLE }
      : await readConfig(text, budget)
  return { ...read, path: entry.path }
}

/**
 * The first part of a large file; `undefined` when it is too large or a form in no known encoding.
 */
async function readText(
  objects: ObjectReader,
  { id, name }: PathEntry,
): Promise<string | undefined> {
  const file = await objects.read(id, MAX_FILE_BYTES)
  if (!file) return undefined
  const isWhole = file.content.length <= MAX_READ_BYTES
  if (isWhole && !name.endsWith('.md') && !isUtf8(file.content)) return undefined
  return file.content.toString('utf8', 0, MAX_READ_BYTES)
}
