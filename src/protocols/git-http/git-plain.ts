import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { notFound } from '../../platform/errors.ts'
import type { Context } from '../../platform/context.ts'
import {
  listPackLines,
  listRefLines,
  openObjectFile,
  readHeadFile,
} from '../../platform/git/plain-files.ts'

/** The folder of the repository that a request names, for those who may fetch from it. */
type EnterFolder = (request: FastifyRequest) => Promise<string>

/** What is called by its content never changes; who may have it does. */
const kept = 'private, max-age=31536000'

/**
 * Git's protocol of plain files: for clients that do not know the other one, and for what mirrors
 * us without git.
 */
export function addPlainGit(
  server: FastifyInstance,
  options: RouteShorthandOptions,
  enter: EnterFolder,
): void {
  server.get('/:owner/:repo/HEAD', options, async (request, reply) =>
    sendText(reply, await readHeadFile(await enter(request))),
  )

  server.get('/:owner/:repo/objects/info/packs', options, async (request, reply) =>
    sendText(reply, await listPackLines(await enter(request))),
  )

  server.get('/:owner/:repo/objects/*', options, async (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    const file = await openObjectFile(await enter(request), name)
    if (!file) throw notFound()
    return reply
      .headers({
        'content-type': file.type,
        'content-length': String(file.size),
        'cache-control': kept,
      })
      .send(file.content)
  })
}

/** Where the plain protocol begins. */
export async function sendRefs(
  ctx: Context,
  reply: FastifyReply,
  folder: string,
): Promise<FastifyReply> {
  return sendText(reply, await listRefLines(ctx.git, folder))
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'text/plain; charset=utf-8').send(text)
}
