import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Context } from '../../platform/context.ts'
import { identify } from './identify.ts'
import { Query } from '../../platform/http/query.ts'
import { viewerOf } from './viewer.ts'

/**
 * Who asks for bytes at an address that pages link to: programs show a credential, browsers have a
 * session. Nothing is changed here, and other sites get no session sent along with what they embed.
 */
export async function askerOf(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  if (showsCredential(request)) return identify(ctx, request, reply)
  const viewer = await viewerOf(ctx, request)
  return viewer.account ? viewer : identify(ctx, request, reply)
}

function showsCredential({ headers, query }: FastifyRequest): boolean {
  const parameters = new Query(query)
  return (
    headers.authorization !== undefined ||
    ['token', 'access_token', 'sudo'].some((name) => parameters.text(name) !== undefined) ||
    headers['sudo'] !== undefined
  )
}
