import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { basePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { Call } from '../../platform/http/call.ts'
import { asSendersFault } from '../../platform/http/form-parts.ts'
import { describeFile, kindOf } from '../issues/comment.ts'
import type { Site } from '../layout.ts'
import { isOfScript } from '../of-script.ts'
import { sendRefusal } from '../refusal.ts'
import { viewerOf } from '../../identity/callers/viewer.ts'

export interface UploadTo {
  readonly attach: (ctx: Context, call: Call) => Promise<Attachment>
  /** Where a form leads then. */
  readonly pathBack: (ctx: Context, call: Call, request: FastifyRequest) => Promise<string>
}

/**
 * Takes files: from a form, or one after the other from the script of the page, which wants a
 * record.
 */
export function takingUpload(ctx: Context, site: Site, { attach, pathBack }: UploadTo) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = await viewerOf(ctx, request)
    try {
      const call = new Call(ctx, request, reply, viewer)
      call.signedIn()
      const file = await attach(ctx, call)
      if (isOfScript(request)) return reply.status(201).send(recordOf(ctx, file))
      return reply.redirect(await pathBack(ctx, call, request), 303)
    } catch (failure) {
      const error = asSendersFault(failure)
      if (!(error instanceof AppError)) throw error
      if (isOfScript(request) && error.code !== 'unauthenticated') throw error
      return await sendRefusal(request, reply, site, error)
    }
  }
}

function recordOf({ config }: Context, file: Attachment) {
  const href = `${basePath(config)}/attachments/${file.uuid}`
  return { name: file.name, href, kind: kindOf(file.name), about: describeFile(file) }
}
