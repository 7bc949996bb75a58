import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, SignedInCaller } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { readForm } from '../../http/body.ts'
import { signedIn } from '../../http/call.ts'
import { sendPage, type Site } from '../layout.ts'
import { isSameOrigin } from '../origin.ts'
import { blockedPage } from '../pages/setup.ts'
import { sendRefusal } from '../refusal.ts'
import { inShell, type InShell } from './shell.ts'
import { openVisit, type Visit } from './visit.ts'
import { viewerOf } from '../viewer.ts'

/** A form that somebody sent from a page of a repository. */
export interface Submitted extends Visit {
  readonly viewer: SignedInCaller
  readonly form: URLSearchParams
}

/** Where to go then; or the form again, with what is wrong. */
export type Done = { readonly leadsTo: string } | InShell

/** Answers forms below `/:owner/:repo`. */
export function repositoryForm(
  ctx: Context,
  site: Site,
  act: (submitted: Submitted) => Promise<Done>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await viewerOf(ctx, request)
    if (!isSameOrigin(ctx.config, request.headers)) {
      return sendPage(reply, site, blockedPage(ctx.config), 403)
    }
    try {
      const viewer = signedIn(caller)
      const visit = await openVisit(ctx, viewer, request)
      const form = await readForm(request.raw, ctx.config.api.max_body_size)
      const done = await act({ ...visit, viewer, form })
      if ('leadsTo' in done) return reply.redirect(done.leadsTo, 303)
      return sendPage(reply, site, inShell(visit, done), 422)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return sendRefusal(request, reply, site, error)
    }
  }
}
