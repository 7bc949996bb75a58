import type { Secrets } from '../../identity/auth/secrets.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Remote } from '../../platform/git/remote.ts'
import { isSameOrigin, type LfsRemote } from '../lfs/remote.ts'
import type { Transferred } from '../lfs/transfer.ts'
import { readRemoteAddress } from '../../platform/network/address.ts'
import type { Outside } from '../../platform/network/outside.ts'
import { noCredentials } from './credentials.ts'

const PURPOSE = 'mirror-lfs-endpoint'

/** Where somebody says the objects are; nothing said is an empty text. */
export function assertEndpointAllowed(outside: Outside, text: string): void {
  if (text === '') return
  try {
    outside.assertNameable(readRemoteAddress(text).url)
  } catch (error) {
    const isForbidden = error instanceof AppError && error.reason === 'host_disallowed'
    throw isForbidden ? error : invalid('The LFS endpoint is not valid.', { cause: error })
  }
}

/** It may have credentials in it. */
export function sealEndpoint(secrets: Secrets, text: string): string {
  return text === '' ? '' : secrets.seal(PURPOSE, text)
}

export function unsealEndpoint(secrets: Secrets, sealed: string): string {
  return sealed === '' ? '' : secrets.unseal(PURPOSE, sealed)
}

/** The credentials of the repository go to its own server only. */
export function lfsRemoteOf(endpoint: string, remote: Remote): LfsRemote {
  const { username, password } = remote
  if (endpoint === '') return { endpoint: besideCode(remote.url), username, password }
  const { url, ...inAddress } = readRemoteAddress(endpoint)
  const others = isSameOrigin(url.href, remote.url) ? { username, password } : noCredentials
  const credentials = inAddress.username === '' ? others : inAddress
  return { endpoint: url.href.replace(/\/+$/, ''), ...credentials }
}

/** Where clients look by themselves. */
function besideCode(address: string): string {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')}.git/info/lfs`
  url.search = ''
  return url.href
}

/** Nothing when all went well. */
export function complaintAbout(transferred: Transferred): string | undefined {
  const { operation, wanted, missing, failed, reason } = transferred
  const done = operation === 'download' ? 'fetched' : 'pushed'
  if (failed > 0) return `LFS: ${failed} of ${wanted} objects could not be ${done}: ${reason}`
  if (missing.length === 0) return undefined
  return `LFS: the remote does not have ${missing.length} of ${wanted} objects: ${missing[0]}`
}
