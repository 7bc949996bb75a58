import { giveWay } from '../concurrency/give-way.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const PIECE = 64 * 1024

/** A text as it was written. */
export async function preformatted(text: string): Promise<string> {
  let escaped = ''
  for (let from = 0; from < text.length; from += PIECE) {
    await giveWay()
    const piece = text.slice(from, from + PIECE)
    escaped += piece.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
  }
  return `<pre>${escaped}</pre>\n`
}

/** Said below a text whose markup nobody waits for. */
export const NOTICE =
  '<p>This text is shown as it was written: it would become too much, or take too long.</p>\n'
