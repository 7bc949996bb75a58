import type { MarkdownOptions } from './render.ts'

const modes = new Map<string, MarkdownOptions>([
  ['', {}],
  ['markdown', {}],
  ['gfm', {}],
  ['wiki', {}],
  ['comment', { hardBreaks: true }],
])

/** How a text of this mode is rendered; nothing when there is no such mode. */
export function findMode(mode: string): MarkdownOptions | undefined {
  return modes.get(mode)
}

export function isMarkdownFile(path: string): boolean {
  return /\.(?:md|mkd|mdown|markdown|livemd)$/i.test(path)
}
