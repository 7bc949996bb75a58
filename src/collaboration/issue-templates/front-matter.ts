export interface FrontMatter {
  /** YAML, not yet read. */
  readonly front: string
  readonly content: string
}

const separator = /^\s*-{3,}\s*$/

/**
 * What stands between two lines of dashes at the beginning, and the rest; `undefined` when it does
 * not begin so.
 */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const begin = lineEnd(text, 0)
  if (!separator.test(text.slice(0, begin))) return undefined
  for (let from = begin; from < text.length;) {
    const end = lineEnd(text, from)
    if (separator.test(text.slice(from, end))) {
      return from === begin
        ? undefined
        : { front: text.slice(begin, from), content: text.slice(end) }
    }
    from = end
  }
  return undefined
}

/** Behind the line break. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** A text of at most 80 columns; of a wider one, its first 77 and an ellipsis. */
export function shorten(text: string): string {
  let columns = 0
  let kept = ''
  for (const sign of text) {
    columns += wide.test(sign) ? 2 : 1
    if (columns <= 77) kept += sign
    if (columns > 80) return `${kept}…`
  }
  return text
}
