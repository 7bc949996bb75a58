import type { Secrets } from '../../identity/auth/secrets.ts'
import { badAddress, hasControl } from '../../platform/network/address.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

export const noCredentials: Credentials = { username: '', password: '' }

const PURPOSE = 'mirror-credentials'
/** Services take a token under any name; this one is customary. */
const TOKEN_USER = 'oauth2'

export function sealCredentials(secrets: Secrets, credentials: Credentials): string {
  if (credentials.username === '' && credentials.password === '') return ''
  return secrets.seal(PURPOSE, JSON.stringify(credentials))
}

export function unsealCredentials(secrets: Secrets, sealed: string): Credentials {
  if (sealed === '') return noCredentials
  return JSON.parse(secrets.unseal(PURPOSE, sealed)) as Credentials
}

/** What a request says about them; `undefined` says nothing. */
export interface GivenCredentials {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
}

/** A token wins over a password, and what is sent apart over what stands in the address. */
export function chooseCredentials(inAddress: Credentials, given: GivenCredentials): Credentials {
  if (given.token) return checked({ username: given.username || TOKEN_USER, password: given.token })
  if (!given.username && !given.password) return checked(inAddress)
  return checked({
    username: given.username || inAddress.username,
    password: given.password || inAddress.password,
  })
}

/** A password stays when only its own user name is sent again. */
export function changeCredentials(old: Credentials, given: GivenCredentials): Credentials {
  const username = given.username || old.username
  if (given.token) return checked({ username: username || TOKEN_USER, password: given.token })
  if (given.password) return checked({ username, password: given.password })
  return username === old.username ? old : checked({ username, password: '' })
}

export function speaksOfCredentials({ username, password, token }: GivenCredentials): boolean {
  return [username, password, token].some((text) => text !== undefined)
}

/** Each is asked for and answered as one line. */
function checked(credentials: Credentials): Credentials {
  if (hasControl(credentials.username) || hasControl(credentials.password)) throw badAddress()
  return credentials
}
