import type { Token } from 'markdown-it'

/**
 * In front of every name that a text gives to a part of a page: those of the page itself are
 * others.
 */
export const OWN_NAMES = 'user-content-'
const MAX_NAME = 200

/** Lets links lead to headings, by names made of their words as people know it from elsewhere. */
export function nameHeadings(tokens: readonly Token[]): void {
  const taken = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const name = nameOf(tokens[index + 1])
    const before = taken.get(name) ?? 0
    taken.set(name, before + 1)
    if (name !== '') token.attrSet('id', `${OWN_NAMES}${name}${before === 0 ? '' : `-${before}`}`)
  }
}

function nameOf(content: Token | undefined): string {
  const words = (content?.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map((part) => part.content)
    .join('')
  return words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
    .slice(0, MAX_NAME)
}

/** A name that stands in a text, with `OWN_NAMES` in front of it once. */
export function ownName(name: string): string {
  return name.startsWith(OWN_NAMES) ? name : OWN_NAMES + name
}
