import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../config/urls.ts'
import type { Caller, Context } from '../context.ts'
import type { AppError } from '../errors.ts'
import { noteFault, statuses } from '../http/errors.ts'
import { sendPage, type Site } from './layout.ts'
import { alone, sendMissing, type Told } from './missing.ts'
import { sendSessionEnded } from './session-ended.ts'

/** Whether the server shows nothing to those who are not signed in, or nothing that costs much. */
export function mustSignIn(
  { config }: Pick<Context, 'config'>,
  { account }: Caller,
  isCostly = false,
): boolean {
  const { require_sign_in: asked } = config.security
  return account === undefined && (asked === 'true' || (isCostly && asked === 'expensive'))
}

/** Where to sign in, and from there back to this page. */
export function signInPath(
  { config }: Pick<Context, 'config'>,
  { method, url }: FastifyRequest,
): string {
  const path = `${basePath(config)}/user/login`
  if (method === 'POST') return path
  return `${path}?redirect_to=${encodeURIComponent(basePath(config) + url)}`
}

/** What somebody may not see is missing, who has to sign in is led there or gets back what they wrote, and anything else is told. */
export async function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  error: AppError,
  frame = alone(site),
): Promise<FastifyReply> {
  noteFault(request, error)
  if (error.code === 'unauthenticated') {
    return request.method === 'POST'
      ? sendSessionEnded(request, reply, site)
      : reply.redirect(signInPath(site, request), 303)
  }
  const isHidden = error.code === 'forbidden' && request.method !== 'POST'
  if (error.code === 'not_found' || isHidden) return sendMissing(request, reply, site, frame)
  if (error.retryAfter !== undefined)
    reply.header('retry-after', String(Math.ceil(error.retryAfter)))
  return sendPage(reply, site, frame(toldOf(error)), statuses[error.code])
}

const words: Readonly<Record<string, string>> = {
  '': 'You may not do this here.',
  'repo is archived': 'This repository is archived: it can be read, and not changed.',
  'repo is not allowed to edit':
    'This repository takes no commits here: it is archived, or a mirror.',
}

function toldOf({ message }: AppError): Told {
  const heading = 'This did not work'
  return { title: heading, heading, text: words[message] ?? message }
}
