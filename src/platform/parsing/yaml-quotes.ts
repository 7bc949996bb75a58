/** Signs by which the library tells what follows; they stand for nothing in the text. */
const signs = new Set(['\u0002', '\u0018', '\u001f', '\ufeff'])

/** A text is read again so often at most, and no more than so many characters in all. */
const MAX_MENDINGS = 50
const MAX_READ_AGAIN = 4 * 1024 * 1024

const doubleQuoted = /"[^"\\]*(?:\\[^][^"\\]*)*"/y
const singleQuoted = /'[^']*(?:''[^']*)*'/y

/**
 * Finds a quoted text whose lines stand less deep than its key. YAML 1.2 forbids that and everybody
 * reads it: the lines are moved to the right, which changes nothing of what the text says.
 */
export class QuoteMender {
  #text: string
  #mendings = 0

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }

  /** Whether the text was mended where a piece that is not whole begins: it is to be read again. */
  mendsAt(at: number, lexeme: string): boolean {
    const end = endOfQuoted(this.#text, at)
    const isBroken = end !== undefined && end > at + lexeme.length
    const readAgain = (this.#mendings + 1) * this.#text.length
    if (!isBroken || this.#mendings >= MAX_MENDINGS || readAgain > MAX_READ_AGAIN) return false
    const quoted = this.#text.slice(at, end)
    // A line that begins a document ends a text that is in quotes.
    if (/\n(?:---|\.\.\.)(?=\s)/.test(quoted)) return false
    const column = at - this.#text.lastIndexOf('\n', at - 1)
    if (column * quoted.split('\n').length > MAX_READ_AGAIN) return false
    this.#mendings++
    const moved = quoted.replace(/\n[ \t]*(?=[^\s])/g, `\n${' '.repeat(column)}`)
    this.#text = this.#text.slice(0, at) + moved + this.#text.slice(end)
    return true
  }
}

/** How many characters of the text a piece is. */
export function lengthInText(lexeme: string): number {
  return signs.has(lexeme) ? 0 : lexeme.length
}

function endOfQuoted(text: string, at: number): number | undefined {
  const quoted = text[at] === '"' ? doubleQuoted : singleQuoted
  quoted.lastIndex = at
  return quoted.test(text) ? quoted.lastIndex : undefined
}
