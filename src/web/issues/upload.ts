import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Attachment } from '../../attachments/attachment.ts'
import { basePath, encodeSegment } from '../../config/urls.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { readInteger } from '../../http/query.ts'
import { Call } from '../../http/call.ts'
import { attachToCommentOfPath, attachToIssueOfPath } from '../../issue-attachments/routes.ts'
import { sendPage, type Site } from '../layout.ts'
import { isSameOrigin } from '../origin.ts'
import { blockedPage } from '../pages/setup.ts'
import { sendRefusal } from '../refusal.ts'
import { viewerOf } from '../viewer.ts'
import { describeFile, kindOf } from './comment.ts'
import { anchorOf } from './paths.ts'

/** Files for an issue or for a comment. */
export function addUploads(server: FastifyInstance, ctx: Context, site: Site): void {
  const issue = '/:owner/:repo/issues/:index'
  server.post(`${issue}/attachments`, takeUpload(ctx, site, attachToIssueOfPath))
  server.post(`${issue}/comments/:id/attachments`, takeUpload(ctx, site, attachToCommentOfPath))
}

/** From a form, or one after the other from the script of the page, which wants a record. */
function takeUpload(ctx: Context, site: Site, attach: typeof attachToIssueOfPath) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = await viewerOf(ctx, request)
    if (!isSameOrigin(ctx.config, request.headers)) {
      return sendPage(reply, site, blockedPage(ctx.config), 403)
    }
    try {
      const call = new Call(ctx, request, reply, viewer)
      call.signedIn()
      return answer(ctx, request, reply, await attach(ctx, call))
    } catch (error) {
      if (!(error instanceof AppError) || wantsRecord(request)) throw error
      return sendRefusal(request, reply, site, error)
    }
  }
}

function answer(
  { config }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attachment: Attachment,
): FastifyReply {
  const root = basePath(config)
  if (wantsRecord(request)) {
    const { name, uuid } = attachment
    const href = `${root}/attachments/${uuid}`
    return reply
      .status(201)
      .send({ name, href, kind: kindOf(name), about: describeFile(attachment) })
  }
  const { owner = '', repo = '', index = '', id } = request.params as Record<string, string>
  const path = [owner, repo, 'issues', index].map(encodeSegment).join('/')
  const anchor = id === undefined ? '' : `#${anchorOf({ id: readInteger(id) })}`
  return reply.redirect(`${root}/${path}${anchor}`, 303)
}

function wantsRecord({ headers }: FastifyRequest): boolean {
  return headers.accept === 'application/json'
}
