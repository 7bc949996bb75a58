import type { ObjectReader } from '../../platform/git/objects.ts'
import { listFiles, type PathEntry } from '../../platform/git/tree.ts'
import {
  parseYaml,
  textOf,
  YamlError,
  type YamlBudget,
  type YamlValue,
} from '../../platform/parsing/yaml.ts'

/** A time at which a workflow wants to run. */
export interface WantedRun {
  /** Path of its file. */
  readonly workflow: string
  readonly title: string
  readonly cron: string
}

const folders = ['.gitea/workflows', '.github/workflows']
const MAX_FILES = 100
const MAX_FILE_BYTES = 256 * 1024
const MAX_SCHEDULES = 100
/** For all files of a repository together. */
const MAX_LEXEMES = 60_000

/** What the workflows of a commit want; a file that cannot be read wants nothing. */
export async function findWantedRuns(
  objects: ObjectReader,
  commitId: string,
): Promise<readonly WantedRun[]> {
  const tree = await objects.info(`${commitId}^{tree}`)
  if (!tree) return []
  const files: PathEntry[] = []
  for (const folder of folders) files.push(...(await listFiles(objects, tree.id, folder)))
  const workflows = files.filter(({ name }) => /\.ya?ml$/.test(name))
  const budget = { lexemes: MAX_LEXEMES }
  const wanted: WantedRun[] = []
  for (const file of workflows.slice(0, MAX_FILES)) {
    wanted.push(...(await readWorkflow(objects, file, budget)))
  }
  return wanted.slice(0, MAX_SCHEDULES)
}

async function readWorkflow(
  objects: ObjectReader,
  { id, path }: PathEntry,
  budget: YamlBudget,
): Promise<readonly WantedRun[]> {
  const file = await objects.read(id, MAX_FILE_BYTES)
  if (!file) return []
  try {
    const workflow = await parseYaml(file.content.toString('utf8'), budget)
    const title = textOf(entryOf(workflow, 'name')) || (path.split('/').at(-1) ?? path)
    return cronsOf(workflow).map((cron) => ({ workflow: path, title, cron }))
  } catch (error) {
    if (error instanceof YamlError) return []
    throw error
  }
}

/** Each once: a workflow that names a time twice runs once then. */
function cronsOf(workflow: YamlValue): readonly string[] {
  const schedule = entryOf(entryOf(workflow, 'on'), 'schedule')
  if (schedule?.kind !== 'list') return []
  const crons = schedule.items.map((item) => textOf(entryOf(item, 'cron'))?.trim() ?? '')
  return [...new Set(crons.filter((cron) => cron !== ''))]
}

function entryOf(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return value?.kind === 'map' ? value.entries.get(key) : undefined
}
