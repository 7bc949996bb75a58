import { AppError } from '../../platform/errors.ts'

const MAX_LENGTH = 2048

/**
 * A browser that is sent there would run or show what is in the address, or look into the local
 * disk.
 */
const dangerousSchemes = new Set(['javascript', 'vbscript', 'data', 'blob', 'file', 'about'])

/**
 * Absolute, http, https or a scheme of an installed program, and without a fragment: codes are
 * added to it.
 */
export function assertRedirectUri(uri: string): void {
  if (!isRedirectUri(uri))
    throw new AppError('bad_request', `invalid redirect URI: ${uri}`, {
      reason: 'redirect_invalid',
      subject: uri,
    })
}

function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_LENGTH || /[\s\p{Cc}#\\]/u.test(uri)) return false
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(uri) ?? []
  if (scheme === '' || dangerousSchemes.has(scheme.toLowerCase())) return false
  if (/^https?$/i.test(scheme)) return /^https?:\/\/[^/?]/i.test(uri) && URL.canParse(uri)
  return uri.length > scheme.length + 1 && URL.canParse(uri)
}

interface RedirectTargets {
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
}

/** Where a code may be sent: to an address that was registered, and to no other. */
export function isRegistered(client: RedirectTargets, uri: string): boolean {
  return client.redirectUris.some((registered) => isSameTarget(client, uri, registered))
}

/** Whether what is given now leads where a good address of this application does. */
export function isSameTarget(
  { isConfidential }: RedirectTargets,
  given: string,
  known: string,
): boolean {
  if (!isRedirectUri(given)) return false
  return comparable(given, !isConfidential) === comparable(known, !isConfidential)
}

/**
 * A program on somebody's machine listens where there is room: on the loopback its port does not
 * count.
 */
function comparable(uri: string, isInstalled: boolean): string {
  const url = new URL(uri)
  const isLoopback =
    /^https?:$/.test(url.protocol) && /^(?:127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (isInstalled && isLoopback) url.port = ''
  return url.href
}
