/** Where an object is to be had or brought, and what has to be sent with it. */
export interface Link {
  readonly href: string
  readonly header: Readonly<Record<string, string>>
}

/** What another server says of one object. */
export interface Offer {
  readonly oid: string
  readonly download: Link | undefined
  readonly upload: Link | undefined
  readonly verify: Link | undefined
  /** In place of links: the status that it would answer with. */
  readonly error: number | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** By the names of their objects; undefined for what is no answer to a batch. */
export function readOffers(body: Buffer): ReadonlyMap<string, Offer> | undefined {
  const { objects } = fieldsOf(parse(body))
  if (!Array.isArray(objects)) return undefined
  return new Map(objects.map(readOffer).map((offer) => [offer.oid, offer]))
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function readOffer(value: unknown): Offer {
  const { oid, actions, error } = fieldsOf(value)
  const { download, upload, verify } = fieldsOf(actions)
  return {
    oid: String(oid),
    download: readLink(download),
    upload: readLink(upload),
    verify: readLink(verify),
    error: error === undefined || error === null ? undefined : Number(fieldsOf(error)['code']),
  }
}

function readLink(value: unknown): Link | undefined {
  const { href, header } = fieldsOf(value)
  if (typeof href !== 'string') return undefined
  const texts = Object.entries(fieldsOf(header)).filter(([, text]) => typeof text === 'string')
  return { href, header: Object.fromEntries(texts) as Record<string, string> }
}

/** Nothing for what is no object. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
