/**
 * What somebody looks for: each of these texts, wherever it stands; or the issue of this number.
 */
export interface SearchTerms {
  readonly texts: readonly string[]
  readonly number: number | undefined
}

/** Each one is looked for in all texts and comments. */
const MAX_TERMS = 10

/**
 * Words in any order, of which all have to be there; words between quotes stand beside each other.
 */
export function readTerms(keyword: string): SearchTerms {
  const lower = keyword.toLowerCase()
  const found = [...lower.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, phrase, word]) => phrase ?? word ?? '',
  )
  const texts = [...new Set(found.map((text) => text.trim()).filter((text) => text !== ''))]
  const [, digits] = /^#?(\d{1,9})$/.exec(lower.trim()) ?? []
  return {
    texts: texts.length > 0 ? texts.slice(0, MAX_TERMS) : [lower],
    number: digits === undefined ? undefined : Number(digits),
  }
}
