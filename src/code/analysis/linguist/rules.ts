import { detectLanguage, firstByExtension } from './detect.ts'
import { anyOf, type Expression } from './expressions.ts'
import { readDataFile } from './files.ts'
import { isGenerated } from './generated.ts'
import { findByAlias, groupOf, knownLanguages } from './known.ts'
import { readList } from './lists.ts'

/** What `.gitattributes` say of a file; what they do not mention is not there. */
export interface LinguistAttributes {
  readonly language?: string
  readonly vendored?: boolean
  readonly generated?: boolean
  readonly documentation?: boolean
  readonly detectable?: boolean
}

/** Told of a file before anybody has read it. */
export type PathVerdict =
  /** It does not count. */
  | 'skipped'
  /** What it holds must be looked at. */
  | 'needed'
  | { readonly language: string }

export interface Counted {
  readonly language: string
  /** Data and prose count only where a repository has nothing else. */
  readonly isCode: boolean
}

/** Longer names are none. */
const MAX_NAME = 100

const dataLanguages = new Set(['XML', 'JSON', 'TOML', 'YAML', 'MiniYAML', 'INI', 'SQL'])

export function judgePath(path: string, attributes: LinguistAttributes = {}): PathVerdict {
  const { language, detectable, vendored, documentation } = attributes
  const named = language === undefined ? undefined : countedName(language)
  if (named !== undefined) return { language: named }
  if (detectable === false || (vendored ?? isVendored(path))) return 'skipped'
  if (isDotFile(path) || (documentation ?? isDocumentation(path))) return 'skipped'
  const usual = firstByExtension(path)
  return usual && dataLanguages.has(usual.name) ? 'skipped' : 'needed'
}

/** What a file counts for, by the beginning of its text. */
export function judgeText(
  path: string,
  text: string,
  attributes: LinguistAttributes = {},
): Counted | undefined {
  if (attributes.generated ?? isGenerated(path, text)) return undefined
  const found = detectLanguage(path, text)
  if (!found) return undefined
  const language = groupOf(found)
  const type = knownLanguages().byName.get(language)?.type
  const isCode = type === 'programming' || type === 'markup' || attributes.detectable === true
  return { language, isCode }
}

/** As it is called on pages and by the highlighter: not its group. */
export function nameLanguage(path: string, text: string, attribute?: string): string | undefined {
  const named = attribute === undefined ? undefined : findByAlias(attribute)
  return (named ?? detectLanguage(path, text))?.name
}

/** A name that linguist does not know counts as it is written: as in the reference. */
function countedName(name: string): string | undefined {
  const known = findByAlias(name)
  if (known) return groupOf(known)
  return name.length > MAX_NAME || name === '' ? undefined : name
}

let vendoredPaths: Expression | undefined
let documentationPaths: Expression | undefined

function isVendored(path: string): boolean {
  vendoredPaths ??= anyOf(readList(readDataFile('vendor.yml')))
  return vendoredPaths.test(path)
}

function isDocumentation(path: string): boolean {
  documentationPaths ??= anyOf(readList(readDataFile('documentation.yml')))
  return documentationPaths.test(path)
}

function isDotFile(path: string): boolean {
  return path.startsWith('.', path.lastIndexOf('/') + 1)
}
