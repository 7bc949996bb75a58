import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../config/urls.ts'
import { sendUnrouted } from '../http/server.ts'
import { html } from './html.ts'
import { sendPage, type Page, type Site } from './layout.ts'

/** Nothing is here, or nothing that this viewer may see: nobody can tell which. */
function missingPage({ config }: Site): Page {
  return {
    title: 'Nothing here',
    narrow: true,
    content: html`
<h1>There is nothing here</h1>
<p class="lede">The address is wrong, what it named is gone, or it is not shown to you.</p>
<p><a class="button" href="${basePath(config)}/">To the start</a></p>`,
  }
}

/** Programs get the line that they always got. */
export function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
): FastifyReply {
  if (wantsPage(request)) return sendPage(reply, site, missingPage(site), 404)
  sendUnrouted(reply)
  return reply
}

/** Browsers name HTML first among what they take; below /api nobody expects pages. */
function wantsPage({ url, headers }: FastifyRequest): boolean {
  return !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '')
}
