import createParser, { type MarkdownIt, type Token } from 'markdown-it'
import { addAlerts } from './alerts.ts'
import { addFootnotes, Footnotes } from './footnotes.ts'
import { nameHeadings } from './headings.ts'
import { limitTokens, MAX_CHARACTERS, Room, TooMuch, type Limits } from './limits.ts'
import { addPageLinks } from './page-links.ts'
import { addPictureLinks } from './pictures.ts'
import { addReferences } from './references.ts'
import type { MarkdownOptions } from './render.ts'
import { sanitize } from './sanitize.ts'
import { addTaskLists } from './task-lists.ts'

/**
 * Emphasis and links are looked for in stretches up to this: what is open there may be looked at
 * again and again.
 */
const MAX_STRETCH = 16 * 1024

/** A long address defined once and referred to a thousand times would make a page of gigabytes. */
const MAX_ADDRESSES = 4 * MAX_CHARACTERS

const documents = makeParser(false)
const comments = makeParser(true)

/** Throws `TooMuch` where the text becomes more than the limits say. */
export function renderSafely(
  text: string,
  {
    hardBreaks = false,
    isDocument = false,
    linksPictures = false,
    hasNotes = false,
    linksPages = false,
    resolve,
    refer,
  }: MarkdownOptions,
  limits: Limits,
): string {
  const room = new Room(limits)
  const parser = hardBreaks ? comments : documents
  const environment = {
    room,
    refer,
    resolvePicture: linksPictures ? resolve : undefined,
    notes: hasNotes ? new Footnotes(text) : undefined,
    linksPages,
  }
  const tokens = parser.parse(text, environment)
  if (isDocument) nameHeadings(tokens)
  if (lengthOfAttributes(tokens) > MAX_ADDRESSES) throw new TooMuch()
  const markup = room.checkMarkup(parser.renderer.render(tokens, parser.options, environment))
  return room.checkMarkup(sanitize(markup, { isDocument, hasNotes, resolve }))
}

function makeParser(breaks: boolean): MarkdownIt {
  const parser = createParser({ html: true, linkify: true, breaks })
  // Otherwise the name of every README.md is a link into Moldova.
  parser.linkify.set({ fuzzyLink: false })
  limitTokens(parser)
  // In this order: what a footnote holds is looked at as the rest of the text.
  addAlerts(parser)
  addFootnotes(parser)
  parser.core.ruler.before('inline', 'long_stretches', ({ tokens }) => {
    for (const token of tokens) if (isLong(token)) token.type = 'text'
  })
  parser.core.ruler.push('direction', ({ tokens }) => {
    for (const token of tokens) if (hasDirection.has(token.type)) token.attrSet('dir', 'auto')
  })
  parser.core.ruler.push('alignment', ({ tokens }) => tokens.forEach(alignCell))
  parser.renderer.rules['s_open'] = () => '<del>'
  parser.renderer.rules['s_close'] = () => '</del>'
  addTaskLists(parser)
  addPageLinks(parser)
  addReferences(parser)
  addPictureLinks(parser)
  return parser
}

/** Where the text itself tells whether it runs from left to right. */
const hasDirection = new Set([
  'paragraph_open',
  'heading_open',
  'bullet_list_open',
  'ordered_list_open',
])

function isLong({ type, content }: Token): boolean {
  return type === 'inline' && content.length > MAX_STRETCH
}

/** The parser aligns cells by a style, which no text may have. */
function alignCell(token: Token): void {
  const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? []
  if (side !== undefined) token.attrs = [['align', side]]
}

function lengthOfAttributes(tokens: readonly Token[]): number {
  let length = 0
  for (const { attrs, children } of tokens) {
    for (const [, value] of attrs ?? []) length += String(value).length
    if (children) length += lengthOfAttributes(children)
  }
  return length
}
