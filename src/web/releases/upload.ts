import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Attachment } from '../../attachments/attachment.ts'
import { basePath } from '../../config/urls.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { Call } from '../../http/call.ts'
import { attachToReleaseOfPath } from '../../release-attachments/routes.ts'
import { loadWithFiles } from '../../releases/load.ts'
import { describeFile, kindOf } from '../issues/comment.ts'
import { sendPage, type Site } from '../layout.ts'
import { isSameOrigin } from '../origin.ts'
import { blockedPage } from '../pages/setup.ts'
import { sendRefusal } from '../refusal.ts'
import { openVisit } from '../repository/visit.ts'
import { viewerOf } from '../viewer.ts'
import { editPath } from './form.ts'

/** Files for a release: from a form, or one after the other from the script of the page, which wants a record. */
export function takeFile(ctx: Context, site: Site) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = await viewerOf(ctx, request)
    if (!isSameOrigin(ctx.config, request.headers)) {
      return sendPage(reply, site, blockedPage(ctx.config), 403)
    }
    try {
      const call = new Call(ctx, request, reply, viewer)
      call.signedIn()
      const file = await attachToReleaseOfPath(ctx, call)
      if (wantsRecord(request)) return reply.status(201).send(recordOf(ctx, file))
      return reply.redirect(await pathBack(ctx, call, request), 303)
    } catch (error) {
      if (!(error instanceof AppError) || wantsRecord(request)) throw error
      return sendRefusal(request, reply, site, error)
    }
  }
}

function recordOf({ config }: Context, file: Attachment) {
  const href = `${basePath(config)}/attachments/${file.uuid}`
  return { name: file.name, href, kind: kindOf(file.name), about: describeFile(file) }
}

async function pathBack(ctx: Context, call: Call, request: FastifyRequest): Promise<string> {
  const visit = await openVisit(ctx, call.caller, request)
  const release = await loadWithFiles(ctx, call.caller, visit.view, call.id('id'))
  return `${editPath(visit, release)}#files`
}

function wantsRecord({ headers }: FastifyRequest): boolean {
  return headers.accept === 'application/json'
}
