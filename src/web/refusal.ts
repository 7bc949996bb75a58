import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../platform/errors.ts'
import { beginFailure } from '../platform/http/errors.ts'
import type { Reason } from '../platform/reason.ts'
import { sendPage, type Site } from './layout.ts'
import { alone, sendMissing, type Told } from './missing.ts'
import { sendSessionEnded } from './session-ended.ts'
import { signInPath } from './sign-in-path.ts'

/**
 * What somebody may not see is missing, who has to sign in is led there or gets back what they
 * wrote, and anything else is told.
 */
export async function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  error: AppError,
  frame = alone(site),
): Promise<FastifyReply> {
  if (error.code === 'unauthenticated') {
    return request.method === 'POST'
      ? sendSessionEnded(request, reply, site)
      : reply.redirect(signInPath(site, request), 303)
  }
  const isHidden = error.code === 'forbidden' && request.method !== 'POST'
  if (error.code === 'not_found' || isHidden) return sendMissing(request, reply, site, frame)
  const { status } = beginFailure(request, reply, error)
  return sendPage(reply, site, frame(toldOf(error)), status)
}

const words: { readonly [reason in Reason]?: string } = {
  archived: 'This repository is archived: it can be read, and not changed.',
  read_only: 'This repository takes no commits here: it is archived, or a mirror.',
}

function toldOf({ code, reason, message }: AppError): Told {
  const heading = code === 'insufficient_storage' ? 'There is no room left' : 'This did not work'
  const text = (reason && words[reason]) ?? message
  return { title: heading, heading, text: text || 'You may not do this here.' }
}
