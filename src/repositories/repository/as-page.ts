import type { FastifyReply, FastifyRequest } from 'fastify'
import { askerOf } from '../../identity/callers/asker.ts'
import { assertAdmitted } from '../../identity/callers/identify.ts'
import { mustSignIn } from '../../identity/callers/viewer.ts'
import type { Context } from '../../platform/context.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answer.ts'
import type { Endpoint } from '../../platform/http/api.ts'
import { Call } from '../../platform/http/call.ts'
import { handleUnlessDeleted } from './deleted-meanwhile.ts'

export type Handle = (call: Call) => Promise<Answer>

/** An endpoint of the API at an address outside /api/v1, which browsers open with their session. */
export function asPage(ctx: Context, endpoint: Endpoint, handler: Handle) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.signedFor ?? (await askerOf(ctx, request, reply))
    request.caller = caller
    if (mustSignIn(ctx, caller, true)) throw forbidden('This is for those who are signed in.')
    assertAdmitted(endpoint, caller, request)
    const call = new Call(ctx, request, reply, caller)
    const { status, headers, body } = await handleUnlessDeleted(ctx, { endpoint, handler }, call)
    return reply
      .status(status)
      .headers(headers ?? {})
      .send(body)
  }
}
