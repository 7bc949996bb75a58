/** Why a text is not JSON that we take. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
}

const MAX_DEPTH = 32

export interface ParsedJson {
  readonly value: unknown
  /**
   * The value itself, unless a number is written with a fraction or an exponent: here no such
   * number is whole.
   */
  readonly written: unknown
}

/**
 * JSON as the contract wants it: valid UTF-8, no key twice in one object, no bottomless nesting, no
 * NUL.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new JsonError(text.trim() === '' ? 'unexpected EOF' : (error as Error).message, {
      cause: error,
    })
  }
  refuseOddities(text)
  return { value, written: /\d[.eE]/.test(text) ? asWritten(text, value) : value }
}

/** JSON.parse does not tell 5.0 from 5: here it is 5.5e-30, which nobody takes for an integer. */
function asWritten(text: string, value: unknown): unknown {
  const start = /"|\d[.eE][\d.eE+-]*/g
  let changed = ''
  let done = 0
  for (let match = start.exec(text); match; match = start.exec(text)) {
    if (match[0] === '"') {
      start.lastIndex = endOfString(text, match.index)
      continue
    }
    changed += `${text.slice(done, match.index + 1)}.5e-30`
    done = start.lastIndex
  }
  return done === 0 ? value : JSON.parse(changed + text.slice(done))
}

/** Keeps a byte order mark, if there is one: it is no JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new JsonError('invalid UTF-8', { cause: error })
  }
}

/** Walks over `text`, which is valid JSON, and looks at what JSON.parse lets pass. */
function refuseOddities(text: string): void {
  const objects: (Set<string> | undefined)[] = []
  let last = ''
  eachToken(text, (found) => {
    if (found === '{' || found === '[') {
      objects.push(found === '{' ? new Set() : undefined)
      if (objects.length > MAX_DEPTH) throw new JsonError('nested too deeply')
    } else if (found === '}' || found === ']') objects.pop()
    else if (found === ':') claimKey(objects.at(-1), last)
    else refuseUnstorable(found)
    last = found
  })
}

/**
 * Strings with their quotes, brackets and colons. A pattern for whole strings would run out of
 * stack on long ones.
 */
function eachToken(text: string, take: (token: string) => void): void {
  const start = /["{}[\]:]/g
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const [found] = match
    if (found === '"') start.lastIndex = endOfString(text, match.index)
    take(found === '"' ? text.slice(match.index, start.lastIndex) : found)
  }
}

/**
 * Behind the quote that ends the string: one that no backslash, or a pair of them, stands before.
 */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}

function claimKey(keys: Set<string> | undefined, literal: string): void {
  const key = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
  if (keys?.has(key)) throw new JsonError(`duplicate object member name "${key}"`)
  keys?.add(key)
}

/** PostgreSQL stores no NUL, and half a character is no text. */
function refuseUnstorable(literal: string): void {
  if (!literal.includes('\\u')) return
  const value = JSON.parse(literal) as string
  if (value.includes('\0')) throw new JsonError('invalid character U+0000 in string')
  if (!value.isWellFormed()) throw new JsonError('invalid surrogate pair in string')
}
