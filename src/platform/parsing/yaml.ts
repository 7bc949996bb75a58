import { giveWay } from '../concurrency/give-way.ts'
import type * as yamlModule from 'yaml'
import type { Alias, Document, Node, Scalar, YAMLMap } from 'yaml'
import { lengthInText, QuoteMender } from './yaml-quotes.ts'

/**
 * A value of a document, with the words of each scalar: where a text is expected, `8.0` is "8.0".
 */
export type YamlValue =
  | { readonly kind: 'null' }
  | YamlScalar
  | { readonly kind: 'list'; readonly items: readonly YamlValue[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, YamlValue> }

interface YamlScalar {
  readonly kind: 'scalar'
  readonly value: string | number | boolean
  readonly text: string
  /** Written without quotes. */
  readonly isPlain: boolean
}

export class YamlError extends Error {
  override readonly name = 'YamlError'
}

const MAX_DEPTH = 32
const MAX_ALIASES = 50
const MAX_LEXEMES = 10_000
/** The library says before each text without quotes that it is one. */
const TEXT_FOLLOWS = '\u001f'
const reservedKeys = ['__proto__', 'constructor', 'prototype']
const none: YamlValue = { kind: 'null' }

/**
 * How many pieces of several documents may be read altogether: words, signs, lines of a text,
 * escapes in it.
 */
export interface YamlBudget {
  lexemes: number
}

/**
 * The first document of a text, copied into values of ours. What would take much time or memory to
 * read is refused, and so is what nobody writes by hand: tags of other languages, keys that objects
 * have anyway.
 */
export async function parseYaml(
  text: string,
  budget: YamlBudget = { lexemes: MAX_LEXEMES },
): Promise<YamlValue> {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) {
    throw new YamlError('control characters are not allowed')
  }
  const yaml = await import('yaml')
  await giveWay()
  const doc = withoutTraces(() => composeMended(yaml, text, budget))
  if (!doc) return none
  const [problem] = [...doc.errors, ...doc.warnings]
  if (problem) throw new YamlError(problem.message.split('\n')[0] ?? '')
  return new Copier(yaml, doc).copy(doc.contents, 0)
}

/**
 * The library makes an error of each thing that is wrong, and most of the time would go into saying
 * where in it.
 */
function withoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

type Yaml = typeof yamlModule

function composeMended(yaml: Yaml, text: string, budget: YamlBudget): Document | undefined {
  const mender = new QuoteMender(text)
  for (;;) {
    const doc = composeFirst(yaml, mender, budget)
    if (doc !== 'mended') return doc
  }
}

/**
 * Piece by piece, so that a text which nests too deeply or has too many pieces is left at that
 * point.
 */
function composeFirst(
  { Lexer, Parser, Composer }: Yaml,
  mender: QuoteMender,
  budget: YamlBudget,
): Document | 'mended' | undefined {
  const parser = new Parser()
  // Unique keys are checked here: the library compares each key with every other.
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent', merge: false })
  let seen = 0
  let before = ''
  let at = 0
  for (const lexeme of new Lexer().lex(mender.text)) {
    const weight = weigh(lexeme, before !== TEXT_FOLLOWS)
    seen += weight
    budget.lexemes -= weight
    if (seen > MAX_LEXEMES || budget.lexemes < 0) throw new YamlError('too many values')
    const isQuoted = before !== TEXT_FOLLOWS && /^["']/.test(lexeme)
    if (isQuoted && mender.mendsAt(at, lexeme)) return 'mended'
    at += lengthInText(lexeme)
    before = lexeme
    for (const token of parser.next(lexeme)) {
      for (const doc of composer.next(token)) return doc
    }
    // A document and a scalar stand at the two ends of the stack.
    if (parser.stack.length > MAX_DEPTH + 2) throw new YamlError('nested too deeply')
  }
  for (const token of parser.end()) for (const doc of composer.next(token)) return doc
  for (const doc of composer.end()) return doc
  return undefined
}

/** Each line of a text and each escape in it costs as much as a word. */
function weigh(lexeme: string, mayBeQuoted: boolean): number {
  const escapes = mayBeQuoted && lexeme.startsWith('"') ? countEscapes(lexeme) : 0
  return 1 + escapes + countLines(lexeme)
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (++count > MAX_LEXEMES) break
  }
  return count
}

const escape =
  /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U00(?:0[\dA-Fa-f]|10)[\dA-Fa-f]{4})/y

/** A bad one is refused at once: the library would make a long list of all of them. */
function countEscapes(text: string): number {
  let count = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', escape.lastIndex)) {
    escape.lastIndex = at
    if (!escape.test(text)) throw new YamlError(`Invalid escape sequence ${text.slice(at, at + 2)}`)
    if (++count > MAX_LEXEMES) break
  }
  return count
}

class Copier {
  readonly #yaml: Yaml
  readonly #doc: Document
  #aliases = 0

  constructor(yaml: Yaml, doc: Document) {
    this.#yaml = yaml
    this.#doc = doc
  }

  copy(node: unknown, depth: number): YamlValue {
    if (depth > MAX_DEPTH) throw new YamlError('nested too deeply')
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml
    if (isAlias(node)) return this.copy(this.#resolve(node), depth + 1)
    if (isScalar(node)) return copyScalar(node)
    if (isMap(node)) return { kind: 'map', entries: this.#entries(node, depth) }
    if (!isSeq(node)) return none
    return { kind: 'list', items: node.items.map((item) => this.copy(item, depth + 1)) }
  }

  #resolve(alias: Alias): Node {
    if (++this.#aliases > MAX_ALIASES) throw new YamlError('too many aliases')
    const node = alias.resolve(this.#doc)
    if (!node) throw new YamlError(`there is no anchor ${alias.source}`)
    return node
  }

  #entries(node: YAMLMap, depth: number): ReadonlyMap<string, YamlValue> {
    const entries = new Map<string, YamlValue>()
    const merged: YamlValue[] = []
    for (const { key, value } of node.items) {
      const name = textOf(this.copy(key, depth + 1))
      if (name === undefined) throw new YamlError('a key has to be a text')
      if (reservedKeys.includes(name)) throw new YamlError(`the key ${name} is not allowed`)
      if (entries.has(name)) throw new YamlError(`the key ${name} is there twice`)
      const copied = this.copy(value, depth + 1)
      if (name === '<<') merged.push(copied)
      else entries.set(name, copied)
    }
    for (const value of merged) merge(entries, value)
    return entries
  }
}

/** What stands in the map itself comes before what it takes over. */
function merge(entries: Map<string, YamlValue>, value: YamlValue): void {
  if (value.kind === 'list') return value.items.forEach((item) => merge(entries, item))
  if (value.kind !== 'map') throw new YamlError('only a map can be merged')
  for (const [key, inner] of value.entries) if (!entries.has(key)) entries.set(key, inner)
}

function copyScalar({ value, source, type }: Scalar): YamlValue {
  if (value === null || value === undefined) return none
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new YamlError(`${source ?? value} is no number that can be sent`)
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new YamlError('a value of this type is not allowed')
  }
  const text = typeof value === 'string' ? value : (source ?? String(value))
  return { kind: 'scalar', value, text, isPlain: type === 'PLAIN' }
}

/** Any scalar as text, nothing as the empty one; `undefined` for lists and maps. */
export function textOf(value: YamlValue | undefined): string | undefined {
  if (value === undefined || value.kind === 'null') return ''
  return value.kind === 'scalar' ? value.text : undefined
}

/** As JSON has it. */
export function toJson(value: YamlValue): unknown {
  switch (value.kind) {
    case 'null':
      return null
    case 'scalar':
      return value.value
    case 'list':
      return value.items.map(toJson)
    case 'map':
      return Object.fromEntries([...value.entries].map(([key, inner]) => [key, toJson(inner)]))
  }
}
