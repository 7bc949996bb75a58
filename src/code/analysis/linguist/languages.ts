import { readDataFile } from './files.ts'

export interface Language {
  readonly name: string
  readonly type: string
  /** Its bytes count for this language. */
  readonly group: string | undefined
  readonly color: string | undefined
  readonly aliases: readonly string[]
  /** With their dots, the usual one first. */
  readonly extensions: readonly string[]
  readonly filenames: readonly string[]
  readonly interpreters: readonly string[]
}

/**
 * All languages that linguist knows. A parser of YAML takes half a second for this file; its lines
 * have four forms only, and a test compares the result with that of a parser.
 */
export function readLanguages(): readonly Language[] {
  const languages: Language[] = []
  let fields: Record<string, string | string[]> = {}
  let key = ''
  const finish = (name: string) => name !== '' && languages.push(toLanguage(name, fields))
  let name = ''
  for (const line of readDataFile('languages.yml').split('\n')) {
    const item = /^ +- (.*)$/.exec(line)?.[1]
    const field = /^ {2}(\w+):(?: (.*))?$/.exec(line)
    if (item !== undefined) (fields[key] as string[]).push(unquote(item))
    else if (field) {
      key = field[1] ?? ''
      fields[key] = field[2] === undefined ? [] : unquote(field[2])
    } else if (/^\S.*:$/.test(line)) {
      finish(name)
      name = unquote(line.slice(0, -1))
      fields = {}
    }
  }
  finish(name)
  return languages
}

function unquote(value: string): string {
  if (value.startsWith('"')) return JSON.parse(value) as string
  return value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value
}

function toLanguage(name: string, fields: Record<string, string | string[]>): Language {
  const list = (key: string) => (Array.isArray(fields[key]) ? fields[key] : [])
  const text = (key: string) => (typeof fields[key] === 'string' ? fields[key] : undefined)
  return {
    name,
    type: text('type') ?? '',
    group: text('group'),
    color: text('color'),
    aliases: list('aliases'),
    extensions: list('extensions'),
    filenames: list('filenames'),
    interpreters: list('interpreters'),
  }
}
