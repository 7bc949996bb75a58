import { invalid, type AppError } from '../errors.ts'

/** An address that somebody gave, taken apart. */
export interface RemoteAddress {
  /**
   * Without credentials; what is stored, shown and handed on is its text, never the text that came.
   */
  readonly url: URL
  readonly username: string
  readonly password: string
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\u0000-\u001f\u007f]/

/** Reads an http or https address; everything else that git could take for one is refused. */
export function readRemoteAddress(text: string): RemoteAddress {
  const given = text.trim()
  if (isLocalPath(given))
    throw invalid('You are not allowed to import local repositories.', { reason: 'address_local' })
  const url = /^https?:\/\/[^/]/i.test(given) ? URL.parse(given) : null
  if (!url || url.hostname === '' || hasControl(given)) throw badAddress()
  const { username, password } = url
  const credentials = { username: decode(username), password: decode(password) }
  url.username = ''
  url.password = ''
  url.hash = ''
  return { url, ...credentials }
}

export function badAddress(): AppError {
  return invalid('The provided URL is invalid.', { reason: 'address_invalid' })
}

/** Whether a text can be part of a credential: each is one line. */
export function hasControl(text: string): boolean {
  return control.test(text) || control.test(decodeLoosely(text))
}

/** A path, or an address that is one. */
export function isLocalPath(text: string): boolean {
  return /^(?:[/.~\\]|file:|[a-z]:[\\/])/i.test(text.trim())
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badAddress()
  }
}

function decodeLoosely(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
