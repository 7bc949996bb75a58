import type { Refer } from './references.ts'

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

/** HTML that is safe to put into a page, whoever wrote the text. The parser is loaded at the first use. */
export async function renderMarkdown(text: string, options: MarkdownOptions = {}): Promise<string> {
  if (text === '') return ''
  const { renderSafely } = await import('./markdown.ts')
  return renderSafely(text, options)
}
