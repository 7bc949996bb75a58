import { createHash } from 'node:crypto'
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import { OWN_NAMES } from './headings.ts'
import type { TokenClass } from './references.ts'

/** The footnotes of one text: `[^1]` refers to what is defined by `[^1]: text`. */
export class Footnotes {
  /** In the order of their definition. */
  readonly texts = new Map<string, string>()
  /** Numbers, in the order in which the text refers to them. */
  readonly numbers = new Map<string, number>()
  readonly bodies = new Map<string, Token[]>()
  /** Of the text before they were added to it. */
  length = 0
  /** A page has many texts: each has names of its own. */
  readonly #name: string

  constructor(text: string) {
    this.#name = createHash('sha256').update(text).digest('hex').slice(0, 12)
  }

  /** Headings have no colons in their names. */
  idOf(part: 'fn' | 'fnref', number: number): string {
    return `${OWN_NAMES}${part}:${this.#name}:${number}`
  }
}

export const footnoteId = /^user-content-fn(?:ref)?:[0-9a-f]{12}:[0-9]+$/

const definition = /^\[\^([^[\]\s^]{1,100})\]:[ \t]*/
const reference = /\[\^([^[\]\s^]{1,100})\]/y
/** What goes on after an empty line is indented by so much. */
const INDENT = 4

/**
 * Footnotes stand below the text, and links lead there and back. `environment.notes` gathers them.
 */
export function addFootnotes(parser: MarkdownIt): void {
  parser.block.ruler.before('reference', 'footnotes', define, { alt: ['paragraph', 'reference'] })
  parser.inline.ruler.before('link', 'footnotes', refer)
  parser.core.ruler.before('inline', 'footnotes', (state) => {
    const notes = notesOf(state.env)
    if (!notes || notes.texts.size === 0) return
    notes.length = state.tokens.length
    for (const [label, text] of notes.texts) {
      const body: Token[] = []
      // Definitions within definitions are none, or a row of them would be read again for each.
      parser.block.parse(text, parser, { ...(state.env as object), notes: undefined }, body)
      notes.bodies.set(label, body)
      for (const token of body) state.tokens.push(token)
    }
  })
  parser.core.ruler.after('inline', 'footnote_list', (state) => {
    const notes = notesOf(state.env)
    if (!notes || notes.bodies.size === 0) return
    const listed = listOf(notes, state.Token)
    state.tokens = state.tokens.slice(0, notes.length).concat(listed)
  })
}

function notesOf(environment: unknown): Footnotes | undefined {
  return (environment as { readonly notes?: Footnotes }).notes
}

function refer(state: StateInline, silent: boolean): boolean {
  const notes = notesOf(state.env)
  reference.lastIndex = state.pos
  const [whole, label = ''] = (notes && reference.exec(state.src)) || []
  if (!notes?.texts.has(label) || whole === undefined || state.linkLevel > 0) return false
  if (!silent) pushMark(state, notes, label)
  state.pos += whole.length
  return true
}

/** Back leads to the first of those that refer to it. */
function pushMark(state: StateInline, notes: Footnotes, label: string): void {
  const isFirst = !notes.numbers.has(label)
  const number = notes.numbers.get(label) ?? notes.numbers.size + 1
  notes.numbers.set(label, number)
  const mark = state.push('footnote_open', 'sup', 1)
  if (isFirst) mark.attrSet('id', notes.idOf('fnref', number))
  state.push('link_open', 'a', 1).attrSet('href', `#${notes.idOf('fn', number)}`)
  state.push('text', '', 0).content = String(number)
  state.push('link_close', 'a', -1)
  state.push('footnote_close', 'sup', -1)
}

function define(state: StateBlock, first: number, end: number, silent: boolean): boolean {
  const notes = notesOf(state.env)
  if (!notes || indentOf(state, first) >= INDENT) return false
  const start = (state.bMarks[first] ?? 0) + (state.tShift[first] ?? 0)
  const [mark, label = ''] = definition.exec(state.src.slice(start, state.eMarks[first])) ?? []
  if (mark === undefined) return false
  if (silent) return true
  const last = endOf(state, first, end)
  const rest = state.getLines(first + 1, last, state.blkIndent + INDENT, false)
  const text = `${state.src.slice(start + mark.length, state.eMarks[first])}\n${rest}`
  if (!notes.texts.has(label)) notes.texts.set(label, text)
  state.line = last
  return true
}

/**
 * The line after a definition: it goes on as a paragraph does, and with what is indented below it.
 */
function endOf(state: StateBlock, first: number, end: number): number {
  const ends = state.md.block.ruler.getRules('paragraph')
  let line = first + 1
  while (line < end) {
    const next = state.skipEmptyLines(line)
    const isIndented = next < end && indentOf(state, next) >= INDENT
    if (!isIndented && (next > line || indentOf(state, line) < 0)) break
    if (!isIndented && ends.some((isBegun) => isBegun(state, line, end, true))) break
    line = next + 1
  }
  return line
}

function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent
}

function listOf(notes: Footnotes, NewToken: TokenClass): Token[] {
  if (notes.numbers.size === 0) return []
  const make = (type: string, tag: string, nesting: -1 | 1) =>
    Object.assign(new NewToken(type, tag, nesting), { block: true })
  const list = make('ordered_list_open', 'ol', 1)
  list.attrSet('class', 'footnotes')
  const items = [...notes.numbers].flatMap(([label, number]) => {
    const item = make('list_item_open', 'li', 1)
    item.attrSet('id', notes.idOf('fn', number))
    const body = notes.bodies.get(label) ?? []
    const isText = body.at(-1)?.type === 'paragraph_close' && body.at(-2)?.type === 'inline'
    const text = (isText && body.at(-2)) || new NewToken('inline', '', 0)
    text.children = [...(text.children ?? []), ...linkBack(notes.idOf('fnref', number), NewToken)]
    return [item, ...body, ...(isText ? [] : [text]), make('list_item_close', 'li', -1)]
  })
  return [list, ...items, make('ordered_list_close', 'ol', -1)]
}

function linkBack(id: string, NewToken: TokenClass): Token[] {
  const say = (content: string) => Object.assign(new NewToken('text', '', 0), { content })
  const open = new NewToken('link_open', 'a', 1)
  open.attrs = [
    ['href', `#${id}`],
    ['title', 'Back to the text'],
  ]
  return [say(' '), open, say('↩'), new NewToken('link_close', 'a', -1)]
}
