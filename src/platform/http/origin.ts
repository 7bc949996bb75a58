import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/config.ts'
import { baseUrl } from '../config/urls.ts'

/**
 * Whether a form was sent from a page of ours. Browsers say so themselves, on https and on
 * loopback; elsewhere they name the origin of the page.
 */
export function isSameOrigin(config: Config, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === new URL(baseUrl(config)).origin
}

/** Scripts name no origin, and nobody's session is at stake: there is none. */
export function isFromHereOrNoBrowser(config: Config, headers: IncomingHttpHeaders): boolean {
  const isBrowser = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  return !isBrowser || isSameOrigin(config, headers)
}
