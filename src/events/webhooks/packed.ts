import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * What a receiver is told, as it is stored: most of it is names of fields and addresses that come
 * again and again.
 */
export function pack(payload: string): string {
  return deflateRawSync(payload, { level: 3 }).toString('base64')
}

export function unpack(content: string): string {
  return inflateRawSync(Buffer.from(content, 'base64')).toString('utf8')
}
