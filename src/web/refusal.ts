import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../config/urls.ts'
import type { Caller, Context } from '../context.ts'
import type { AppError } from '../errors.ts'
import { statuses } from '../http/errors.ts'
import { html } from './html.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { sendMissing } from './missing.ts'

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

/** What somebody may not see is missing, who has to sign in is led there, and anything else is told. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  error: AppError,
): FastifyReply {
  if (error.code === 'unauthenticated') return reply.redirect(signInPath(site, request), 303)
  const isHidden = error.code === 'forbidden' && request.method !== 'POST'
  if (error.code === 'not_found' || isHidden) return sendMissing(request, reply, site)
  if (error.retryAfter !== undefined)
    reply.header('retry-after', String(Math.ceil(error.retryAfter)))
  return sendPage(reply, site, refusalPage(site, error), statuses[error.code])
}

function refusalPage({ config }: Site, { message }: AppError): Page {
  return {
    title: 'This did not work',
    narrow: true,
    content: html`
<h1>This did not work</h1>
<p class="lede">${message || 'You may not do this here.'}</p>
<p><a class="button" href="${basePath(config)}/">To the start</a></p>`,
  }
}
