/** What of white space does not count as a difference. */
export type Whitespace = 'ignore-all' | 'ignore-change' | 'ignore-eol' | 'show-all'

/** What git is told. */
export const whitespaceOptions: Readonly<Record<Whitespace, readonly string[]>> = {
  'ignore-all': ['--ignore-all-space'],
  'ignore-change': ['--ignore-space-change'],
  'ignore-eol': ['--ignore-space-at-eol'],
  'show-all': [],
}

export function readWhitespace(text: string | undefined): Whitespace {
  const known: readonly Whitespace[] = ['ignore-all', 'ignore-change', 'ignore-eol']
  return known.find((name) => name === text) ?? 'show-all'
}
