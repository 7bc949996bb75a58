import type { FastifyRequest } from 'fastify'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { Call } from '../../platform/http/call.ts'
import { readInteger } from '../../platform/http/query.ts'
import {
  attachToCommentOfPath,
  attachToIssueOfPath,
} from '../../collaboration/issue-attachments/routes.ts'
import { takingUpload } from '../forms/upload.ts'
import type { Site } from '../layout.ts'
import { anchorOf } from './paths.ts'
import type { PageServer } from '../page-server.ts'

/** Files for an issue or for a comment. */
export function addUploads(server: PageServer, ctx: Context, site: Site): void {
  const issue = '/:owner/:repo/issues/:index'
  const toIssue = takingUpload(ctx, site, { attach: attachToIssueOfPath, pathBack })
  const toComment = takingUpload(ctx, site, { attach: attachToCommentOfPath, pathBack })
  server.post(`${issue}/attachments`, toIssue)
  server.post(`${issue}/comments/:id/attachments`, toComment)
}

async function pathBack(
  { config }: Context,
  _call: Call,
  request: FastifyRequest,
): Promise<string> {
  const { owner = '', repo = '', index = '', id } = request.params as Record<string, string>
  const path = [basePath(config), ...[owner, repo, 'issues', index].map(encodeSegment)].join('/')
  return id === undefined ? path : `${path}#${anchorOf({ id: readInteger(id) })}`
}
