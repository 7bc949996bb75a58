import { basename } from 'node:path/posix'
import {
  parseYaml,
  textOf,
  YamlError,
  type YamlBudget,
  type YamlValue,
} from '../../platform/parsing/yaml.ts'
import { TemplateError, unreadable } from './error.ts'
import { readFields, type FormField } from './fields.ts'
import { shorten, splitFrontMatter } from './front-matter.ts'
import { validateFields } from './validate.ts'

export interface IssueTemplate {
  readonly name: string
  readonly title: string
  readonly about: string
  /** `undefined` when the file does not speak of them. */
  readonly labels: readonly string[] | undefined
  readonly assignees: readonly string[] | undefined
  readonly ref: string
  readonly content: string
  /** Of a form. */
  readonly fields: readonly FormField[] | undefined
  readonly path: string
}

/** Throws `TemplateError` or `YamlError` when the file is no template. */
export async function parseTemplate(
  path: string,
  text: string,
  budget?: YamlBudget,
): Promise<IssueTemplate> {
  const template = path.endsWith('.md')
    ? await readMarkdown(path, text, budget)
    : await readForm(path, text, budget)
  if (template.name.trim() === '') throw new TemplateError("'name' is required")
  if (template.about.trim() === '') throw new TemplateError("'about' is required")
  if (template.fields) validateFields(template.fields)
  return template
}

/** A file without usable front matter is a template all the same: its text and nothing else. */
async function readMarkdown(
  path: string,
  text: string,
  budget: YamlBudget | undefined,
): Promise<IssueTemplate> {
  const split = splitFrontMatter(text)
  const head = split && (await readFrontMatter(path, split.front, budget))
  if (head) return { ...head, content: split.content }
  return {
    ...readHead(path, new Map()),
    name: basename(path),
    about: shorten(text),
    content: text,
  }
}

async function readFrontMatter(
  path: string,
  front: string,
  budget: YamlBudget | undefined,
): Promise<IssueTemplate | undefined> {
  try {
    return readHead(path, entriesOf(await parseYaml(front, budget)))
  } catch (error) {
    if (error instanceof YamlError || error instanceof TemplateError) return undefined
    throw error
  }
}

async function readForm(
  path: string,
  text: string,
  budget: YamlBudget | undefined,
): Promise<IssueTemplate> {
  const entries = entriesOf(await parseYaml(text, budget))
  return { ...readHead(path, entries), fields: readFields(entries.get('body')) }
}

type Entries = ReadonlyMap<string, YamlValue>

function entriesOf(value: YamlValue): Entries {
  if (value.kind === 'null') return new Map()
  if (value.kind !== 'map') throw unreadable('a map is expected')
  return value.entries
}

function readHead(path: string, entries: Entries): IssueTemplate {
  const ref = readText(entries, 'ref')
  const about = readText(entries, 'about')
  const description = readText(entries, 'description')
  return {
    name: readText(entries, 'name'),
    title: readText(entries, 'title'),
    about: about === '' ? description : about,
    labels: readNames(entries, 'labels'),
    assignees: readNames(entries, 'assignees'),
    ref: ref.startsWith('refs/') ? ref : `refs/heads/${ref}`,
    content: '',
    fields: undefined,
    path,
  }
}

function readText(entries: Entries, key: string): string {
  const text = textOf(entries.get(key))
  if (text === undefined) throw unreadable(`'${key}' should be a string`)
  return text
}

/** A list, or one text with commas. */
function readNames(entries: Entries, key: string): readonly string[] | undefined {
  const value = entries.get(key)
  if (value?.kind === 'list') {
    return value.items.map((item) => {
      const text = textOf(item)
      if (text === undefined) throw unreadable(`'${key}' should be a list of strings`)
      return text
    })
  }
  const names = readText(entries, key)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? undefined : names
}
