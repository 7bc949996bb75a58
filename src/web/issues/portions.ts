import { basePath } from '../../platform/config/urls.ts'
import { idOf } from '../highlight/highlight.ts'
import { html, type Html } from '../../platform/html.ts'
import { beginningOf } from '../repository/markdown.ts'
import type { Visit } from '../repository/visit.ts'

/** Of longer texts the beginning is shown, unless somebody asks for the whole. */
const MAX_TEXT = 64 * 1024
/**
 * Together the texts of a page have so many characters; of those that come after them little more
 * than a sign is shown.
 */
const MAX_PAGE = 512 * 1024
const SIGN = 1000
/** The parameter that names the text which is shown as a whole. */
const WHOLE = 'whole'
/** Enough to tell the texts of a page apart. */
const ID_LENGTH = 16

/** What a page shows of a text. */
export interface Portion {
  readonly text: string
  /** Where the whole is shown, of a text that is not; nothing where no page shows it. */
  readonly whole?: string | false
}

export interface Portions {
  readonly texts: readonly string[]
  readonly of: (text: string) => Portion
}

/** What a page has room for of its texts, in their order. */
export function portionsOf(visit: Visit, texts: readonly string[]): Portions {
  const portions = new Map<string, Portion>()
  const asked = visit.query.text(WHOLE)
  let room = MAX_PAGE
  for (const text of texts) {
    const known = portions.get(text)
    if (known) {
      // Shown again: what it takes was not foreseen, so that there is less for those to come.
      room -= known.text.length
      continue
    }
    const isAsked = asked !== undefined && text.length > SIGN && idIn(text) === asked
    const shown = isAsked ? text : beginningOf(text, room < text.length ? SIGN : MAX_TEXT)
    room -= shown.length
    portions.set(
      text,
      shown.length < text.length ? { text: shown, whole: wholeOf(visit, text) } : { text },
    )
  }
  return {
    texts: [...portions.values()].map(({ text }) => text),
    of: (text) => portions.get(text) ?? { text: beginningOf(text, SIGN), whole: false },
  }
}

export function renderCut(whole: string | false): Html {
  const link = whole !== false && html` <a href="${whole}">Show the whole</a>`
  return html`<p class="more">This is the beginning of a long text.${link}</p>`
}

/**
 * The same page; a form that was not taken has an address that shows nothing, and what news
 * readers are told is no page.
 */
function wholeOf({ ctx, request }: Visit, text: string): string | false {
  const [path = '', query = ''] = request.url.split('?')
  if (request.method !== 'GET' || /\.(?:rss|atom)$/.test(path)) return false
  const parameters = new URLSearchParams(query)
  parameters.set(WHOLE, idIn(text))
  return `${basePath(ctx.config)}${path}?${String(parameters)}`
}

/** Of what is shown of every text: to look through all of it would take as long as to show it. */
function idIn(text: string): string {
  return idOf(`${text.length} ${text.slice(0, SIGN)}`).slice(0, ID_LENGTH)
}
