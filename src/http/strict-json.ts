/** Why a text is not JSON that we take. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
}

const MAX_DEPTH = 32

/** JSON as the contract wants it: valid UTF-8, no key twice in one object, no bottomless nesting, no NUL. */
export function parseJson(bytes: Uint8Array): unknown {
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
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new JsonError('invalid UTF-8', { cause: error })
  }
}

/** Walks over `text`, which is valid JSON, and looks at what JSON.parse lets pass. */
function refuseOddities(text: string): void {
  const objects: (Set<string> | undefined)[] = []
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g
  let last = ''
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match
    if (found === '{' || found === '[') {
      objects.push(found === '{' ? new Set() : undefined)
      if (objects.length > MAX_DEPTH) throw new JsonError('nested too deeply')
    } else if (found === '}' || found === ']') objects.pop()
    else if (found === ':') claimKey(objects.at(-1), last)
    else refuseUnstorable(found)
    last = found
  }
}

function claimKey(keys: Set<string> | undefined, literal: string): void {
  const key = JSON.parse(literal) as string
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
