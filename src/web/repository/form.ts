import type { FastifyReply, FastifyRequest } from 'fastify'
import { StoredFiles } from '../../platform/files/stored-files.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { cameLate, readForm } from '../../platform/http/body.ts'
import { signedIn } from '../../platform/http/call.ts'
import { isMultipart } from '../../platform/http/multipart.ts'
import { readStored, type FileTerms, type RefusedFile } from '../../platform/http/stored-form.ts'
import { readWhole, type WholeFile } from '../../platform/http/whole-form.ts'
import { absenceBehind } from '../../repositories/repository/absence.ts'
import { sendPage, type Site } from '../layout.ts'
import { isOfScript } from '../of-script.ts'
import { sendRefusal } from '../refusal.ts'
import { inShell, toldIn, type InShell } from './shell.ts'
import { openVisit, pathOf, type Visit } from './visit.ts'
import { viewerOfPage } from '../viewer.ts'

/** A form that somebody sent from a page of a repository. */
export interface Submitted extends Visit {
  readonly viewer: SignedInCaller
  readonly form: URLSearchParams
  readonly files: readonly WholeFile[]
  /** Of forms whose files may be large. */
  readonly stored: StoredFiles
  readonly refused: RefusedFile | undefined
}

/** The form again, with what is wrong. */
export type AgainInShell = InShell & { readonly status?: number | undefined }

/** Where to go then, or the form again. */
export type Done = { readonly leadsTo: string } | AgainInShell

export interface FormTerms {
  /** Throws for those from whom nothing is read. */
  readonly admit?: (visit: Visit) => void
  readonly maxBytes?: number
  /** For forms with files: how many parts they may have. */
  readonly maxParts?: number
  /** For forms whose files are stored as they arrive; throws for those from whom none is taken. */
  readonly takeFiles?: (visit: SignedInVisit) => Promise<FileTerms>
}

type SignedInVisit = Visit & { readonly viewer: SignedInCaller }

/** Answers forms below `/:owner/:repo`. */
export function repositoryForm(
  ctx: Context,
  site: Site,
  act: (submitted: Submitted) => Promise<Done>,
  terms: FormTerms = {},
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let entered: Visit | undefined
    const enterNow = async () => {
      const visit = await enter(ctx, request)
      entered = visit
      terms.admit?.(visit)
      return visit
    }
    try {
      const { visit, done } = await take(enterNow, act, terms)
      if (!('leadsTo' in done))
        return sendPage(reply, site, inShell(visit, done), done.status ?? 422)
      return isOfScript(request) ? reply.send(done) : reply.redirect(done.leadsTo, 303)
    } catch (thrown) {
      const error = entered
        ? await absenceBehind(ctx, entered.viewer, pathOf(request), thrown)
        : thrown
      if (!(error instanceof AppError)) throw error
      const frame = entered && error === thrown ? toldIn(entered) : undefined
      return await sendRefusal(request, reply, site, error, frame)
    }
  }
}

async function enter(ctx: Context, request: FastifyRequest): Promise<SignedInVisit> {
  const viewer = signedIn(await viewerOfPage(ctx, request))
  const visit = await openVisit(ctx, viewer, request)
  return { ...visit, viewer }
}

/** Files of the form that nobody took are gone before anything is answered. */
async function take(
  enterNow: () => Promise<SignedInVisit>,
  act: (submitted: Submitted) => Promise<Done>,
  terms: FormTerms,
): Promise<{ visit: Visit; done: Done }> {
  const entered = await enterNow()
  const { isLate, ...sent } = await readSent(entered, terms)
  try {
    const visit = isLate ? await enterNow() : entered
    if (isLate && sent.stored.count > 0) await terms.takeFiles?.(visit)
    return { visit, done: await act({ ...visit, ...sent }) }
  } finally {
    await sent.stored.discard()
  }
}

async function readSent(visit: SignedInVisit, terms: FormTerms) {
  const { ctx, request } = visit
  const { raw } = request
  const { maxBytes = ctx.config.api.max_body_size, maxParts, takeFiles } = terms
  const isWithFiles = isMultipart(raw.headers['content-type'] ?? '')
  if (takeFiles && isWithFiles) return readWithFiles(visit, takeFiles)
  const none = { files: [], stored: new StoredFiles(ctx), refused: undefined }
  if (maxParts === undefined || !isWithFiles) {
    const form = await readForm(raw, maxBytes)
    return { ...none, form, isLate: cameLate(raw) }
  }
  const { texts, files } = await readWhole(raw, { maxBytes, maxParts })
  return { ...none, form: texts, files, isLate: cameLate(raw) }
}

async function readWithFiles(visit: SignedInVisit, takeFiles: NonNullable<FormTerms['takeFiles']>) {
  const { ctx, request } = visit
  const fileTerms = await takeFiles(visit)
  const isLate = !request.raw.complete
  const { texts, stored, refused } = await readStored(ctx, request.raw, fileTerms)
  return { form: texts, files: [], stored, refused, isLate }
}
