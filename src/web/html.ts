/** Markup that is safe to send: made by `html`, with everything in it escaped. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** `false`, `undefined` and `null` are left out, so that `condition && html` reads well. */
export type Part = Html | string | number | false | undefined | null | readonly Part[]

/** Escapes every value that it did not make itself. Attributes are to be quoted. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = texts[0] ?? ''
  for (const [index, part] of parts.entries()) markup += render(part) + (texts[index + 1] ?? '')
  return new Html(markup)
}

/** The one way round escaping, for markup of our own files. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

function render(part: Part): string {
  if (part instanceof Html) return part.toString()
  if (Array.isArray(part)) return (part as readonly Part[]).map(render).join('')
  if (part === false || part === undefined || part === null) return ''
  return escapeText(String(part))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}
