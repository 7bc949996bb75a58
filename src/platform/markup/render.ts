import { createHash } from 'node:crypto'
import { AskedThread } from '../concurrency/asked-thread.ts'
import { giveWay } from '../concurrency/give-way.ts'
import { WeighedCache } from '../caches/weighed-cache.ts'
import { findAsked } from './asked.ts'
import { limitsHere, MAX_CHARACTERS, TooMuch } from './limits.ts'
import { NOTICE, preformatted } from './preformatted.ts'
import type { Refer } from './references.ts'
import type { Question, Reply } from './worker.ts'

export interface MarkdownOptions {
  /** Line ends of the text are line ends on the page, as people expect it of comments. */
  readonly hardBreaks?: boolean
  /** Its headings have names that links lead to: of one text on a page. */
  readonly isDocument?: boolean
  /** Where the addresses of the text lead, which are relative to where it stands. */
  readonly resolve?: Resolve
  /** Pictures of other sites that the page does not show are linked. */
  readonly linksPictures?: boolean
  /** Footnotes, and quotes that begin with `[!NOTE]`. */
  readonly hasNotes?: boolean
  /** `[[Page]]` leads to a page beside the text, as in wikis. */
  readonly linksPages?: boolean
  /** Where references lead: `#1`, `@somebody`, the id of a commit. */
  readonly refer?: Refer
}

/** An address for the page; nothing for a picture that the page does not show. */
export type Resolve = (address: string, of: 'link' | 'image') => string | undefined

/** How a text is rendered, for a thread that cannot be told where its addresses lead. */
export interface Flags extends Omit<MarkdownOptions, 'resolve' | 'refer'> {
  readonly links: boolean
  readonly refers: boolean
}

export interface Rendered {
  readonly markup: string
  /** Not so where there was no time for the text: somebody who asks again may see another. */
  readonly isFinal: boolean
}

/** Shorter texts are rendered at once, unless they become much. */
const MAX_HERE = 4 * 1024
const MAX_KEPT = 8 * 1024 * 1024
/** A text that took too long is not tried again for so long. */
const AGAIN_MS = 10 * 60_000

const thread = new AskedThread<Question, Reply>(new URL('worker.ts', import.meta.url), {
  timeLimitMs: 5_000,
  maxWaiting: 128,
})
const kept = new WeighedCache<string>('markdown', MAX_KEPT)
/** Until when these texts are shown as they were written. */
const refused = new WeighedCache<number>('refused_markdown', 1024 * 1024)

/** HTML that is safe to put into a page, whoever wrote the text. */
export async function renderMarkdown(text: string, options: MarkdownOptions = {}): Promise<string> {
  return (await tryMarkdown(text, options)).markup
}

/**
 * What does not lead anywhere is kept; whoever says where it leads keeps it. The parser is loaded
 * at the first use.
 */
export async function tryMarkdown(text: string, options: MarkdownOptions = {}): Promise<Rendered> {
  if (text === '') return { markup: '', isFinal: true }
  if (text.length > MAX_CHARACTERS) {
    return { markup: await preformatted(text), isFinal: true }
  }
  const here = text.length <= MAX_HERE ? await renderHere(text, options) : undefined
  if (here !== undefined) return { markup: here, isFinal: true }
  const key = keyOf(text, options)
  if ((refused.peek(key) ?? 0) > Date.now()) return asWritten(text, true)
  if (options.refer ?? options.resolve) return renderBeside(text, options, key)
  const known = kept.peek(key)
  if (known !== undefined) return { markup: known, isFinal: true }
  const rendered = await renderBeside(text, options, key)
  if (rendered.isFinal) kept.keep(key, rendered.markup, 2 * rendered.markup.length + 200)
  return rendered
}

async function asWritten(text: string, isFinal: boolean): Promise<Rendered> {
  return { markup: (await preformatted(text)) + NOTICE, isFinal }
}

async function renderHere(text: string, options: MarkdownOptions): Promise<string | undefined> {
  const { renderSafely } = await import('./markdown.ts')
  await giveWay()
  try {
    return renderSafely(text, options, limitsHere)
  } catch (error) {
    if (error instanceof TooMuch) return undefined
    throw error
  }
}

async function renderBeside(
  text: string,
  options: MarkdownOptions,
  key: string,
): Promise<Rendered> {
  const flags = flagsOf(options)
  let reply = await thread.ask({ text, flags, known: undefined })
  if (typeof reply === 'object' && reply.asked) {
    reply = await thread.ask({ text, flags, known: await findAsked(reply.asked, options) })
  }
  if (reply === 'busy') return asWritten(text, false)
  if (reply !== 'failed' && reply.markup !== undefined) {
    return { markup: reply.markup, isFinal: true }
  }
  const isTooMuch = reply !== 'failed'
  refused.keep(key, isTooMuch ? Number.POSITIVE_INFINITY : Date.now() + AGAIN_MS, 200)
  return asWritten(text, isTooMuch)
}

function flagsOf({ refer, resolve, ...options }: MarkdownOptions): Flags {
  return { ...options, links: resolve !== undefined, refers: refer !== undefined }
}

function keyOf(text: string, options: MarkdownOptions): string {
  const digest = createHash('sha256').update(text).digest('base64url')
  return `${digest} ${Object.entries(flagsOf(options))
    .filter(([, isSet]) => isSet)
    .map(([name]) => name)
    .sort()
    .join(' ')}`
}
