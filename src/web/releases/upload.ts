import type { FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import type { Call } from '../../platform/http/call.ts'
import { attachToReleaseOfPath } from '../../delivery/release-attachments/routes.ts'
import { loadWithFiles } from '../../delivery/releases/load.ts'
import { takingUpload } from '../forms/upload.ts'
import type { Site } from '../layout.ts'
import { openVisit } from '../repository/visit.ts'
import { editPath } from './form.ts'

/** Files for a release. */
export function takeFile(ctx: Context, site: Site) {
  return takingUpload(ctx, site, { attach: attachToReleaseOfPath, pathBack })
}

async function pathBack(ctx: Context, call: Call, request: FastifyRequest): Promise<string> {
  const visit = await openVisit(ctx, call.caller, request)
  const release = await loadWithFiles(ctx, call.caller, visit.view, call.id('id'))
  return `${editPath(visit, release)}#files`
}
