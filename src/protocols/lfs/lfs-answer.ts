import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { LFS_TYPE } from '../../code/lfs/present.ts'
import { readBody } from '../../platform/http/body.ts'

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
export type AddLfs = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  options: { readonly isJson: boolean },
  handle: Handle,
) => void

export async function readJsonBody<T extends TObject>(
  ctx: Context,
  request: FastifyRequest,
  schema: T,
): Promise<Static<T>> {
  return readBody(request.raw, schema, ctx.config.api.max_body_size)
}

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  // As bytes: to a text the framework would add a charset, which this type does not have.
  const bytes = Buffer.from(JSON.stringify(body))
  return reply.status(status).header('content-type', LFS_TYPE).send(bytes)
}

export function sendMessage(reply: FastifyReply, status: number, message: string): FastifyReply {
  return sendJson(reply, status, { message })
}
