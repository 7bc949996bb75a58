import type { FastifyReply } from 'fastify'
import { hasCopy, validatorOf } from '../platform/http/record.ts'

/** What programs read. */
export interface Document {
  readonly type: string
  readonly text: string
}

/** With a mark by which they ask whether it is still the same. For whoever `request.caller` is. */
export function sendDocument(reply: FastifyReply, { type, text }: Document): FastifyReply {
  const { caller, headers } = reply.request
  const etag = validatorOf(text)
  reply.headers({
    etag,
    'cache-control': caller?.account ? 'private, no-cache' : 'no-cache',
    vary: 'Cookie',
  })
  if (hasCopy(headers['if-none-match'], etag)) return reply.status(304).send()
  return reply
    .headers({ 'content-type': type, 'content-security-policy': "default-src 'none'; sandbox" })
    .send(text)
}
