type Read = () => string

/**
 * Texts by name, each read at its first use and kept. A name that a caller sends is looked up here
 * and never becomes part of a path.
 */
export class Texts {
  readonly #list: () => ReadonlyMap<string, Read>
  readonly #kept = new Map<string, string>()
  #readers: ReadonlyMap<string, Read> | undefined

  constructor(list: () => ReadonlyMap<string, Read>) {
    this.#list = list
  }

  get names(): readonly string[] {
    return [...this.#known.keys()].sort()
  }

  find(name: string): string | undefined {
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const text = this.#known.get(name)?.()
    if (text !== undefined) this.#kept.set(name, text)
    return text
  }

  get #known(): ReadonlyMap<string, Read> {
    this.#readers ??= this.#list()
    return this.#readers
  }
}

export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
