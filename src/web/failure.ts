import type { FastifyReply, FastifyRequest } from 'fastify'
import { Moved } from '../platform/errors.ts'
import { beginFailure, failureOf, isClientGone, type Failure } from '../platform/http/errors.ts'
import { sendPage, type Site } from './layout.ts'
import { alone, wantsPage, type Told } from './missing.ts'

/**
 * What the server could not do is told to people on a page. Throws what is to be told otherwise.
 */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  error: unknown,
): FastifyReply {
  if (error instanceof Moved || isClientGone(error) || !wantsPage(request)) throw error
  if (failureOf(error, request.caller).status < 500) throw error
  const failure = beginFailure(request, reply, error)
  return sendPage(reply, site, alone(site)(toldOf(failure, request.id)), failure.status)
}

function toldOf({ status, message }: Failure, id: string): Told {
  if (status === 503) {
    const heading = 'Not now'
    return { title: heading, heading, text: 'The server cannot do this now. Try it again soon.' }
  }
  const heading = status === 507 ? 'There is no room left' : 'Something went wrong'
  const reason = message && ` It says: ${message}.`
  const text = `The server could not do this.${reason} Its log tells more under ${id}.`
  return { title: heading, heading, text }
}
