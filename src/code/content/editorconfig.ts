import { loadRevision, readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { giveWay } from '../../platform/concurrency/give-way.ts'
import { readCommit } from '../../platform/git/history.ts'
import { findEntry, kindOf, splitPath } from '../../platform/git/tree.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { compileSection } from './editorconfig-section.ts'

/** What an editor has to do with a file; what is not said is up to it. */
export interface EditorDefinition {
  readonly charset?: string
  readonly indent_style?: string
  readonly indent_size?: string
  readonly end_of_line?: string
}

/**
 * More than anybody writes by hand. To match a path takes time in proportion to it and to all heads
 * together.
 */
const MAX_BYTES = 64 * 1024
const MAX_HEADS = 4096
const MAX_PATH = 512

export async function loadDefinition(
  ctx: Context,
  repo: Repository,
  ref: string | undefined,
  path: string,
): Promise<EditorDefinition> {
  const text = await readingCode(ctx, repo, async (objects) => {
    const { commitId } = await loadRevision(objects, repo, ref)
    const { treeId } = await readCommit(objects, commitId)
    const entry = await findEntry(objects, treeId, '.editorconfig')
    if (!entry || kindOf(entry) !== 'file') return undefined
    return (await objects.read(entry.id, MAX_BYTES))?.content.toString('utf8')
  })
  if (text === undefined) throw notFound()
  return findDefinition(text, splitPath(path).join('/'))
}

/** Of several sections that match a file, what later ones say counts. */
export async function findDefinition(text: string, path: string): Promise<EditorDefinition> {
  const properties = new Map<string, string>()
  if (path.length > MAX_PATH) return {}
  for (const { pattern, lines } of readSections(text)) {
    await giveWay()
    if (!compileSection(pattern)?.(path)) continue
    for (const [key, value] of lines) properties.set(key, value)
  }
  return toDefinition(properties)
}

interface Section {
  readonly pattern: string
  readonly lines: (readonly [key: string, value: string])[]
}

/** What stands before the first one is about the file itself. */
function readSections(text: string): readonly Section[] {
  const sections: Section[] = []
  let room = MAX_HEADS
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const content = line.trim()
    if (content === '' || /^[#;]/.test(content)) continue
    const [, pattern] = /^\[(.+)\]\s*(?:[#;].*)?$/.exec(content) ?? []
    room -= pattern?.length ?? 0
    if (room < 0) break
    if (pattern !== undefined) sections.push({ pattern, lines: [] })
    else sections.at(-1)?.lines.push(readProperty(content))
  }
  return sections
}

function readProperty(line: string): readonly [key: string, value: string] {
  const [, key = '', rest = ''] = /^([^=:]*)[=:](.*)$/.exec(line) ?? []
  const value = rest.replace(/(?:^|\s)[#;].*$/, '').trim()
  return [key.trim().toLowerCase(), value.toLowerCase()]
}

function toDefinition(properties: ReadonlyMap<string, string>): EditorDefinition {
  const said = (key: string) => {
    const value = properties.get(key)
    return value === 'unset' || value === '' ? undefined : value
  }
  const style = said('indent_style')
  const width = said('tab_width')
  const size = said('indent_size') ?? (style === 'tab' ? 'tab' : undefined)
  const definition = {
    charset: said('charset'),
    indent_style: style,
    indent_size: size === 'tab' ? (width ?? size) : size,
    end_of_line: said('end_of_line'),
  }
  return Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined))
}
