/**
 * A page has a title, an address and a file. In the address, dashes stand for blanks; a title that
 * has dashes itself is marked, and keeps both. What else is no plain letter is escaped, a slash
 * too: all files lie in the root folder.
 */
const MARK = '.-'
const ENDING = '.md'

/** The pages that stand beside and below all others. */
export const SIDEBAR = '_Sidebar.md'
export const FOOTER = '_Footer.md'

const reserved = ['_pages', '_new', '_edit', 'raw']

export function isReserved(title: string): boolean {
  return reserved.includes(title)
}

/** `Home Page` is `Home-Page`, `a-b c` is `a-b+c.-`. */
export function addressOf(title: string, isMarked = false): string {
  if (isMarked || title.includes('-') || title.endsWith(ENDING)) return escape(title + MARK)
  return escape(title.replaceAll(' ', '-'))
}

/** Blanks stay as they are. */
export function fileOf(address: string): string {
  return address.replaceAll('+', ' ') + ENDING
}

export function isPageFile(name: string): boolean {
  return name.endsWith(ENDING) && name !== ENDING
}

export function titleOfFile(name: string): string {
  const { text } = readMark(name.slice(0, -ENDING.length))
  return unescape(text.replaceAll('+', ' '))
}

export function addressOfFile(name: string): string {
  const { isMarked } = readMark(name.slice(0, -ENDING.length))
  return addressOf(titleOfFile(name), isMarked)
}

/**
 * The files that may be meant by a name in a path: an address, a title, or the file itself; the
 * likeliest first.
 */
export function filesMeantBy(name: string): readonly string[] {
  const { text, isMarked } = readMark(name)
  const blanks = text.replaceAll('+', ' ')
  const addresses = [
    addressOf(blanks, isMarked),
    addressOf(text, isMarked),
    addressOf(unescape(blanks), isMarked),
    addressOf(name),
  ]
  const files = [...addresses.map(fileOf), name + ENDING]
  return [...new Set(isPageFile(name) ? [name, ...files] : files)]
}

function readMark(name: string): { readonly text: string; readonly isMarked: boolean } {
  const isMarked = name.endsWith(MARK)
  return { text: isMarked ? name.slice(0, -MARK.length) : name.replaceAll('-', ' '), isMarked }
}

/** As in a query, where blanks are plus signs. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
