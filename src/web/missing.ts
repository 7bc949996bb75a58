import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../platform/config/urls.ts'
import { sendUnrouted } from '../platform/http/server.ts'
import { html, type Html, type Part } from '../platform/html.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { signInPath } from './sign-in-path.ts'

/** What is said where a page was expected. */
export interface Told {
  readonly title: string
  readonly heading: string
  readonly text: Part
}

/** Makes a page of it, with a way on from there. */
export type Frame = (told: Told) => Page

/** Where nothing is known of the place. */
export function alone({ config }: Site): Frame {
  return ({ title, heading, text }) => ({
    title,
    narrow: true,
    content: html`
<h1>${heading}</h1>
<p class="lede">${text}</p>
<p><a class="button" href="${basePath(config)}/">To the start</a></p>`,
  })
}

/** Nothing is here, or nothing that this viewer may see: nobody can tell which. */
function missingFor(site: Site, request: FastifyRequest): Told {
  return {
    title: 'Nothing here',
    heading: 'There is nothing here',
    text: html`The address is wrong, what it named is gone, or it is not shown to you.${!request.caller?.account && offerSignIn(site, request)}`,
  }
}

function offerSignIn(site: Site, request: FastifyRequest): Html {
  return html` <a href="${signInPath(site, request)}">Sign in</a> to see what is shown to you alone.`
}

/** Programs get the line that they always got. */
export function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  frame = alone(site),
): FastifyReply {
  if (wantsPage(request)) return sendPage(reply, site, frame(missingFor(site, request)), 404)
  sendUnrouted(reply)
  return reply
}

/** Browsers name HTML first among what they take; below /api nobody expects pages. */
export function wantsPage({ url, headers }: FastifyRequest): boolean {
  return !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '')
}
