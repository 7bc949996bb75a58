import type { Context } from '../../platform/context.ts'
import type { Remote } from '../../platform/git/remote.ts'
import { readRemoteAddress } from '../../platform/network/address.ts'
import type { Address } from '../../platform/network/outside.ts'
import { hostOf } from '../../platform/network/policy.ts'
import { unsealCredentials, type Credentials } from './credentials.ts'

/**
 * Checks an address anew, since names and settings change, and tells git where exactly to connect
 * to.
 */
export async function connectTo(
  ctx: Context,
  address: string,
  credentials: Credentials,
): Promise<Remote> {
  const { url } = readRemoteAddress(address)
  const addresses = await ctx.outside.locate(url)
  return { url: url.href, pin: pinOf(url, addresses), ...credentials }
}

/** Like `connectTo`, with an address and credentials as they are stored. */
export async function reconnect(
  ctx: Context,
  { address, credentials }: { readonly address: string; readonly credentials: string },
): Promise<Remote> {
  return connectTo(ctx, address, unsealCredentials(ctx.secrets, credentials))
}

/** A literal address needs none. */
function pinOf(url: URL, addresses: readonly Address[]): string | undefined {
  if (addresses.every(({ address }) => address === hostOf(url))) return undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const found = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address))
  return `${url.hostname}:${port}:${found.join(',')}`
}
