import type { IncomingMessage } from 'node:http'
import type { Context } from '../../platform/context.ts'
import { fetchOutside, openOutside } from '../../platform/network/fetch.ts'
import type { Operation } from './batch.ts'
import type { Pointer } from './object.ts'
import { readOffers, type Link, type Offer } from './offer.ts'
import { LFS_TYPE } from './present.ts'

/** Another server's objects. */
export interface LfsRemote {
  /** What the addresses of the protocol begin with, without credentials. */
  readonly endpoint: string
  readonly username: string
  readonly password: string
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const BATCH_LIMIT_MS = 60_000
const MAX_REDIRECTS = 3
const redirects: readonly number[] = [301, 302, 303, 307, 308]
/** What a link cannot decide: how the request itself is sent. */
const ours = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade'])

/** What the remote says of each object: where it is to be had or brought, or why it is not. */
export async function askAboutObjects(
  ctx: Context,
  remote: LfsRemote,
  operation: Operation,
  pointers: readonly Pointer[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Offer>> {
  const objects = pointers.map(({ oid, size }) => ({ oid, size }))
  const { status, body, isCut } = await fetchOutside(ctx, `${remote.endpoint}/objects/batch`, {
    method: 'POST',
    headers: { accept: LFS_TYPE, 'content-type': LFS_TYPE, ...credentialsOf(remote) },
    body: JSON.stringify({ operation, transfers: ['basic'], objects }),
    maxBytes: MAX_ANSWER_BYTES,
    timeLimitMs: BATCH_LIMIT_MS,
    signal,
  })
  if (status !== 200) throw new Error(`the remote answered ${status}`)
  const offers = isCut ? undefined : readOffers(body)
  if (!offers) throw new Error('the remote gave no list of objects')
  return offers
}

/**
 * The bytes of an object, wherever the link leads: every address on the way is checked like the
 * first.
 */
export async function openLink(
  ctx: Context,
  remote: LfsRemote,
  link: Link,
  { signal, timeLimitMs }: { readonly signal: AbortSignal; readonly timeLimitMs: number },
): Promise<IncomingMessage> {
  let address = link.href
  let headers = headersOf(remote, link)
  for (let left = MAX_REDIRECTS; ; left--) {
    const response = await openOutside(ctx, address, { headers, signal, timeLimitMs })
    const { statusCode: status = 0 } = response
    if (status === 200) return response
    response.destroy()
    const next = redirects.includes(status) && URL.parse(response.headers.location ?? '', address)
    if (!next || left === 0) throw new Error(`the remote answered ${status}`)
    // Credentials stay with whom they are for.
    if (!isSameOrigin(next.href, address)) headers = {}
    address = next.href
  }
}

/** What a link wants to be sent; our credentials go to the server that they are for. */
export function headersOf(remote: LfsRemote, { href, header }: Link): Record<string, string> {
  const named = Object.entries(header).map(([name, value]) => [name.toLowerCase(), value] as const)
  const wanted = Object.fromEntries(named.filter(([name]) => !ours.has(name)))
  return isSameOrigin(href, remote.endpoint) ? { ...credentialsOf(remote), ...wanted } : wanted
}

function credentialsOf({ username, password }: LfsRemote): Record<string, string> {
  if (username === '' && password === '') return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

export function isSameOrigin(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin
}
