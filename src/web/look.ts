import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Context, SignedInCaller } from '../context.ts'
import { AppError } from '../errors.ts'
import { readForm } from '../http/body.ts'
import { signedIn } from '../http/call.ts'
import { Query } from '../http/query.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { isSameOrigin } from './origin.ts'
import { blockedPage } from './pages/setup.ts'
import { mustSignIn, sendRefusal, signInPath } from './refusal.ts'
import { viewerOf } from './viewer.ts'

const MAX_FORM_BYTES = 1_048_576

/** One look at a page. */
export interface Look {
  readonly ctx: Context
  readonly viewer: Caller
  readonly request: FastifyRequest
  readonly query: Query
  readonly param: (name: string) => string
}

export interface Submitted extends Look {
  readonly viewer: SignedInCaller
  readonly form: URLSearchParams
}

/** A page, or where it leads instead. */
export type Shown =
  | Page
  | { readonly page: Page; readonly status: number }
  | { readonly leadsTo: string }

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Answers requests for a page. */
export function pageOf(ctx: Context, site: Site, show: (look: Look) => Promise<Shown>): Handler {
  return async (request, reply) => {
    const viewer = await viewerOf(ctx, request)
    if (mustSignIn(ctx, viewer)) return reply.redirect(signInPath(ctx, request), 303)
    return send(site, request, reply, () => show(lookOf(ctx, viewer, request)))
  }
}

/** Answers forms, which come from a page of ours and from somebody who is signed in. */
export function formOf(
  ctx: Context,
  site: Site,
  act: (submitted: Submitted) => Promise<Shown>,
): Handler {
  return async (request, reply) => {
    const caller = await viewerOf(ctx, request)
    if (!isSameOrigin(ctx.config, request.headers)) {
      return sendPage(reply, site, blockedPage(ctx.config), 403)
    }
    return send(site, request, reply, async () => {
      const viewer = signedIn(caller)
      const form = await readForm(request.raw, MAX_FORM_BYTES)
      return act({ ...lookOf(ctx, viewer, request), viewer, form })
    })
  }
}

function lookOf(ctx: Context, viewer: Caller, request: FastifyRequest): Look {
  const params = request.params as Readonly<Record<string, string>>
  // No name holds a NUL, and PostgreSQL would not hear of one.
  const param = (name: string) => (params[name] ?? '').replaceAll('\0', '')
  return { ctx, viewer, request, query: new Query(request.query), param }
}

async function send(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  show: () => Promise<Shown>,
): Promise<FastifyReply> {
  try {
    const shown = await show()
    if ('leadsTo' in shown) return reply.redirect(shown.leadsTo, 303)
    const { page, status } = 'page' in shown ? shown : { page: shown, status: 200 }
    return sendPage(reply, site, page, status)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return sendRefusal(request, reply, site, error)
  }
}
