export interface MarkdownOptions {
  /** Line ends of the text are line ends on the page, as people expect it of comments. */
  readonly hardBreaks?: boolean
}

/** HTML that is safe to put into a page, whoever wrote the text. The parser is loaded at the first use. */
export async function renderMarkdown(text: string, options: MarkdownOptions = {}): Promise<string> {
  if (text === '') return ''
  const { renderSafely } = await import('./markdown.ts')
  return renderSafely(text, options)
}
