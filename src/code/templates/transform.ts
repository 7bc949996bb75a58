type Transform = (text: string) => string

/** Suffix of a variable to what it makes of the value. */
export const transforms: ReadonlyMap<string, Transform> = new Map<string, Transform>([
  ['SNAKE', (text) => separate(text, '_')],
  ['KEBAB', (text) => separate(text, '-')],
  ['CAMEL', (text) => uncapitalize(pascal(text))],
  ['PASCAL', pascal],
  ['LOWER', (text) => text.toLowerCase()],
  ['UPPER', (text) => text.toUpperCase()],
  ['TITLE', title],
])

/** In small letters, with `connector` where a word ends. */
function separate(text: string, connector: '_' | '-'): string {
  return text
    .replace(/[\p{L}\p{Nd}]+/gu, (run) => splitWords(run).join(connector))
    .replace(/[-_\s]/g, connector)
    .toLowerCase()
}

/**
 * Digits belong to the word before them, unless small letters follow: `http2xx` is http and 2xx.
 */
function splitWords(run: string): readonly string[] {
  const words = run
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ')
  return words.flatMap((word) => {
    const [, letters, rest] = /^(\p{L}+)(\p{Nd}+\p{Ll}.*)$/u.exec(word) ?? []
    return letters === undefined || rest === undefined ? [word] : [letters, rest]
  })
}

/** Of a run of capitals that begins a word only the first stays one. */
function pascal(text: string): string {
  return text.replace(
    /(^[-_\s]*|[-_\s]+)([^-_\s]+)/g,
    (_, before: string, word: string, at: number) => {
      const kept = at === 0 ? before : before.slice(1)
      const lowered = word.replace(/^\p{Lu}+/u, (run) => run[0] + run.slice(1).toLowerCase())
      return kept + capitalize(lowered)
    },
  )
}

function title(text: string): string {
  return text.toLowerCase().replace(/[^-\s]+/g, (word) => {
    return word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  })
}

function capitalize(word: string): string {
  return word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

function uncapitalize(text: string): string {
  return text.replace(/^([-_\s]*)(\p{Lu})/u, (_, before: string, letter: string) => {
    return before + letter.toLowerCase()
  })
}
