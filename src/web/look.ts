import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Trace } from '../identity/auth/security-news.ts'
import type { Caller, Context, SignedInCaller } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { cameLate, readForm } from '../platform/http/body.ts'
import { signedIn } from '../platform/http/call.ts'
import { goneSignal } from '../platform/http/gone.ts'
import { readFormFile } from '../platform/http/multipart.ts'
import { Query } from '../platform/http/query.ts'
import { traceOf } from '../platform/http/trace.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { sendRefusal } from './refusal.ts'
import { mustSignIn } from '../identity/callers/viewer.ts'
import { sendDocument, type Document } from './send-document.ts'
import { signInPath } from './sign-in-path.ts'
import { viewerOfPage } from './viewer.ts'

const MAX_FORM_BYTES = 1_048_576
const MAX_FILE_FORM_BYTES = 2 * MAX_FORM_BYTES

/** One look at a page. */
export interface Look {
  readonly ctx: Context
  readonly viewer: Caller
  readonly request: FastifyRequest
  readonly query: Query
  readonly param: (name: string) => string
}

export interface SignedInLook extends Look {
  readonly viewer: SignedInCaller
}

export interface Submitted extends SignedInLook {
  readonly form: URLSearchParams
  /** Is aborted when nobody waits for the answer any more. */
  readonly gone: () => AbortSignal
}

/** A page, or what there is instead. */
export type Shown =
  | Page
  | { readonly page: Page; readonly status: number }
  | { readonly leadsTo: string }
  /** For the script of a page. */
  | { readonly record: object }
  /** For other programs. */
  | { readonly document: Document }

/** For the owner of an account, who is told what has changed. */
export function traceIn({ viewer, request }: Submitted): Trace {
  return traceOf(viewer, request)
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Answers requests for a page. */
export function pageOf(ctx: Context, site: Site, show: (look: Look) => Promise<Shown>): Handler {
  return async (request, reply) => {
    const viewer = await viewerOfPage(ctx, request)
    if (mustSignIn(ctx, viewer)) return reply.redirect(signInPath(ctx, request), 303)
    return send(site, request, reply, () => show(lookOf(ctx, viewer, request)))
  }
}

/** Like `pageOf`, for those who are signed in; others are led to where one does. */
export function ownPageOf(
  ctx: Context,
  site: Site,
  show: (look: SignedInLook) => Promise<Shown>,
): Handler {
  return pageOf(ctx, site, async (look) => show({ ...look, viewer: signedIn(look.viewer) }))
}

/** Answers forms, which come from a page of ours and from somebody who is signed in. */
export function formOf(
  ctx: Context,
  site: Site,
  act: (submitted: Submitted) => Promise<Shown>,
): Handler {
  return takingForm(ctx, site, async ({ request, ...look }, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    // Who was signed in when it began to arrive may be so no longer.
    const viewer = cameLate(request.raw) ? signedIn(await viewerOfPage(ctx, request)) : look.viewer
    return act({ ...look, request, viewer, form, gone: () => goneSignal(reply.raw) })
  })
}

/** Answers forms with one small file, which is empty when none was chosen. */
export function fileFormOf(
  ctx: Context,
  site: Site,
  field: string,
  act: (look: SignedInLook, file: Buffer) => Promise<Shown>,
): Handler {
  return takingForm(ctx, site, async (look) => {
    const { request } = look
    const file = await readFormFile(request.raw, { field, maxBytes: MAX_FILE_FORM_BYTES })
    // A file takes its time.
    return act({ ...look, viewer: signedIn(await viewerOfPage(ctx, request)) }, file)
  })
}

function takingForm(
  ctx: Context,
  site: Site,
  act: (look: SignedInLook, reply: FastifyReply) => Promise<Shown>,
): Handler {
  return async (request, reply) => {
    const caller = await viewerOfPage(ctx, request)
    return send(site, request, reply, async () => {
      const viewer = signedIn(caller)
      return act({ ...lookOf(ctx, viewer, request), viewer }, reply)
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
    if ('record' in shown) return reply.send(shown.record)
    if ('document' in shown) return sendDocument(reply, shown.document)
    if ('leadsTo' in shown) return reply.redirect(shown.leadsTo, 303)
    const { page, status } = 'page' in shown ? shown : { page: shown, status: 200 }
    return sendPage(reply, site, page, status)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return await sendRefusal(request, reply, site, error)
  }
}
