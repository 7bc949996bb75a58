import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../network/ranges.ts'

const HEADER = 'x-forwarded-for'

/**
 * What proxies say of where a request comes from, as addresses alone. Some add the port of the
 * connection, which is another one each time. What is no address says nothing, and nor does what
 * stands before it, which anybody may have sent: then the request comes from the proxy, as far as
 * we know.
 */
export async function tidyForwarded({ raw: { headers } }: FastifyRequest): Promise<void> {
  const named = headers[HEADER]
  if (named === undefined) return
  const parts = [named].flat().join(',').split(',')
  const known: string[] = []
  for (const part of parts.toReversed()) {
    const address = plainAddress(withoutPort(part.trim()))
    if (address === undefined) break
    known.unshift(address)
  }
  if (known.length > 0) headers[HEADER] = known.join(', ')
  else delete headers[HEADER]
}

/** `10.1.0.4:1001`, `[2001:db8::9]:1001` or `[2001:db8::9]`. */
function withoutPort(text: string): string {
  const [, address = text] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  return address
}
