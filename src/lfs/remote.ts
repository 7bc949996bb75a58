import type { IncomingMessage } from 'node:http'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Context } from '../context.ts'
import { fetchOutside, openOutside } from '../network/fetch.ts'
import { LFS_TYPE } from './present.ts'
import type { Pointer } from './object.ts'

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

const Link = Type.Object({
  href: Type.String(),
  header: Type.Optional(Type.Record(Type.String(), Type.String())),
})
const Offer = Type.Object({
  oid: Type.String(),
  actions: Type.Optional(Type.Object({ download: Type.Optional(Link) })),
  error: Type.Optional(Type.Object({ code: Type.Integer() })),
})
const BatchAnswer = Type.Object({ objects: Type.Array(Offer) })

export type Offer = Static<typeof Offer>
export type Link = Static<typeof Link>

/** What the remote says of each object: where it is to be had, or that it is not. */
export async function askForObjects(
  ctx: Context,
  remote: LfsRemote,
  pointers: readonly Pointer[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Offer>> {
  const objects = pointers.map(({ oid, size }) => ({ oid, size }))
  const { status, body, isCut } = await fetchOutside(ctx, `${remote.endpoint}/objects/batch`, {
    method: 'POST',
    headers: { accept: LFS_TYPE, 'content-type': LFS_TYPE, ...credentialsOf(remote) },
    body: JSON.stringify({ operation: 'download', transfers: ['basic'], objects }),
    maxBytes: MAX_ANSWER_BYTES,
    timeLimitMs: BATCH_LIMIT_MS,
    signal,
  })
  if (status !== 200) throw new Error(`the LFS server of the remote answered ${status}`)
  const answer = isCut ? undefined : parse(body)
  if (!answer) throw new Error('the LFS server of the remote gave no list of objects')
  return new Map(answer.objects.map((offer) => [offer.oid, offer]))
}

function parse(body: Buffer): Static<typeof BatchAnswer> | undefined {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'))
    return Value.Check(BatchAnswer, answer) ? answer : undefined
  } catch {
    return undefined
  }
}

/** The bytes of an object, wherever the link leads: every address on the way is checked like the first. */
export async function openLink(
  ctx: Context,
  remote: LfsRemote,
  { href, header = {} }: Link,
  { signal, timeLimitMs }: { readonly signal: AbortSignal; readonly timeLimitMs: number },
): Promise<IncomingMessage> {
  let address = href
  let headers = {
    ...(isSameOrigin(href, remote.endpoint) && credentialsOf(remote)),
    ...own(header),
  }
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

function own(header: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(header).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  return Object.fromEntries(entries.filter(([name]) => !ours.has(name)))
}

function credentialsOf({ username, password }: LfsRemote): Record<string, string> {
  if (username === '' && password === '') return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

export function isSameOrigin(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin
}
