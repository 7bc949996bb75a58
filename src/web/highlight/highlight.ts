import { createHash } from 'node:crypto'
import { giveWay, mapInTurns } from '../../platform/concurrency/give-way.ts'
import { WeighedCache } from '../../platform/caches/weighed-cache.ts'
import { trusted, verbatim, type Html } from '../../platform/html.ts'
import { hasInvisible, markInvisible } from './invisible.ts'
import { HighlightThread } from './thread.ts'

/** Longer texts are shown without colours. */
export const MAX_CHARACTERS = 256 * 1024
/**
 * Texts with longer lines have no colours: browsers lay out tens of thousands of pieces in one line
 * for seconds.
 */
const MAX_LINE = 10_000
/** So much of a long text tells its language. */
const BEGINNING = 16 * 1024
const MAX_KEPT = 16 * 1024 * 1024

const thread = new HighlightThread()
const kept = new WeighedCache<Coloured>('code', MAX_KEPT)

export interface Shown {
  /** Equal for equal texts: what has been coloured is kept by it. */
  readonly id: string
  readonly name: string
  readonly text: string
  /** As `.gitattributes` call its language. */
  readonly attribute?: string | undefined
}

export interface ShownFile {
  readonly lines: readonly Html[]
  /** As linguist calls it; nothing where nobody knows it. */
  readonly language: string | undefined
}

/**
 * A file, or a part of one, is known by its name; other texts by how somebody called their
 * language.
 */
export interface Code {
  /** Equal for equal texts: what has been coloured is kept by it. */
  readonly id: string
  readonly text: string
  readonly name?: string | undefined
  readonly language?: string | undefined
}

interface Coloured {
  readonly lines: readonly Html[] | undefined
  readonly language: string | undefined
}

/** The lines of a file, coloured by its language where that is known and does not take long. */
export async function highlightFile({ id, name, text, attribute }: Shown): Promise<ShownFile> {
  const { lines: coloured, language } = await colour({ id, name, text, language: attribute })
  await giveWay()
  const lines = coloured ?? plainLines(text)
  return { lines: hasInvisible(text) ? await mapInTurns(lines, markInvisible) : lines, language }
}

export async function highlightLines(shown: Shown): Promise<readonly Html[]> {
  return (await highlightFile(shown)).lines
}

/** Lines in colours; undefined where there are none. */
export async function highlightCode(code: Code): Promise<readonly Html[] | undefined> {
  return (await colour(code)).lines
}

async function colour({ id, name, language, text }: Code): Promise<Coloured> {
  const isLong = text.length > MAX_CHARACTERS || hasLongLine(text)
  if (isLong && name === undefined) return { lines: undefined, language }
  return kept.get(JSON.stringify([name, language, id]), async () => {
    const asked = isLong ? text.slice(0, BEGINNING) : text
    const reply = await thread.ask({ text: asked, name, language, isLong })
    if (reply === 'busy') {
      return { value: { lines: undefined, language: undefined }, weight: Number.POSITIVE_INFINITY }
    }
    await giveWay()
    const lines = reply.markup === undefined ? undefined : toLines(reply.markup)
    const weight = 200 + 2 * (reply.markup?.length ?? 0)
    return { value: { lines, language: reply.language }, weight }
  })
}

/** Has the thread load what it needs, where it does not run yet. */
export async function startHighlighting(): Promise<void> {
  await thread.ask({ name: 'a.ts', text: '//' })
}

/** Of a text that has no name of its own. */
export function idOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > MAX_LINE)
}

export function plainLines(text: string): readonly Html[] {
  return splitLines(text).map(verbatim)
}

/**
 * Names of classes in plain spans, text without a bracket: anything else is not what we asked for.
 */
const piece = /<span class="([\w .-]*)">|(<\/span>)|([^<\n]+)|(\n)/y

/** Each line on its own: what is open at its end is closed there, and opened again on the next. */
export function toLines(markup: string): readonly Html[] | undefined {
  const lines: string[] = ['']
  const open: string[] = []
  const add = (text: string) => (lines[lines.length - 1] += text)
  piece.lastIndex = 0
  while (piece.lastIndex < markup.length) {
    const found = piece.exec(markup)
    if (!found) return undefined
    const [whole, names, end, , lineEnd] = found
    if (lineEnd !== undefined) {
      add('</span>'.repeat(open.length))
      lines.push(open.join(''))
    } else {
      if (names !== undefined) open.push(whole)
      if (end !== undefined && open.pop() === undefined) return undefined
      add(whole)
    }
  }
  if (open.length > 0) return undefined
  return splitEnd(lines, textOf).map((line) => trusted(line))
}

function splitLines(text: string): readonly string[] {
  return splitEnd(text.split('\n').map((line) => line.replace(/\r$/, '')))
}

function textOf(line: string): string {
  return line.replaceAll(/<[^>]+>/g, '')
}

/** What follows the last line break is no line where it is empty. */
function splitEnd(
  lines: readonly string[],
  contentOf = (line: string): string => line,
): readonly string[] {
  const last = contentOf(lines.at(-1) ?? '')
  return lines.length > 1 && last === '' ? lines.slice(0, -1) : lines
}
