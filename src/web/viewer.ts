import type { FastifyRequest } from 'fastify'
import { callerOfSession } from '../auth/sessions.ts'
import { anonymous, type Caller, type Context } from '../context.ts'
import { sessionSecretOf } from './cookies.ts'

/** Who looks at a page: by the session of the browser, and by nothing else. */
export async function viewerOf(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const secret = sessionSecretOf(ctx.config, request)
  const caller = secret === undefined ? undefined : await callerOfSession(ctx, secret)
  request.caller = caller ?? anonymous
  return request.caller
}
