import type { Context } from '../../platform/context.ts'
import { readForm } from '../../platform/http/body.ts'
import { signedIn } from '../../platform/http/call.ts'
import { openVisit } from '../repository/visit.ts'
import { viewerOf } from '../../identity/callers/viewer.ts'
import { renderSpeech } from './speech.ts'
import type { PageServer } from '../page-server.ts'

/**
 * What somebody writes, as it will be shown: for the script of the page, so that no browser takes
 * it for a page.
 */
export function addPreview(server: PageServer, ctx: Context): void {
  server.post('/:owner/:repo/markup', async (request, reply) => {
    const viewer = await viewerOf(ctx, request)
    const visit = await openVisit(ctx, signedIn(viewer), request)
    const form = await readForm(request.raw, ctx.config.api.max_body_size)
    const shown = await renderSpeech(visit, form.get('text') ?? '')
    return reply.headers({ 'content-type': 'text/plain; charset=utf-8' }).send(String(shown))
  })
}
