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
  for (const [index, part] of parts.entries()) {
    const isolates = () => isBetweenTags(texts.slice(0, index + 1).join(''))
    markup += render(part, isolates) + (texts[index + 1] ?? '')
  }
  return new Html(markup)
}

/** The letters as they are, for lines that are read one by one and copied. */
export function verbatim(text: string): Html {
  return new Html(escapeText(text))
}

/** The one way round escaping, for markup of our own files. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

function render(part: Part, isolates: () => boolean): string {
  if (part instanceof Html) return part.toString()
  if (Array.isArray(part))
    return (part as readonly Part[]).map((each) => render(each, isolates)).join('')
  if (part === false || part === undefined || part === null) return ''
  const text = String(part)
  return turning.test(text) && isolates() ? isolate(text) : escapeText(text)
}

/** Letters that are written from right to left, and characters that change the direction. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Neither in the value of an attribute nor where markup would be read as text. */
function isBetweenTags(before: string): boolean {
  return !/="[^"]*$|<(?:textarea|title)\b[^>]*>[^<]*$/.test(before)
}

/** What stands around it keeps its place. */
function isolate(text: string): string {
  return `<bdi>${escapeText(withoutLooseEnds(text))}</bdi>`
}

/** Without the ends of isolations that it has not begun: they would end ours. */
function withoutLooseEnds(text: string): string {
  let open = 0
  return text.replace(/[\u2066-\u2069]/g, (control) => {
    if (control !== '\u2069') open++
    else if (open === 0) return ''
    else open--
    return control
  })
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
