import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { AppError, invalid, Moved, notFound } from '../../platform/errors.ts'
import { answerStored } from '../../platform/http/bucket.ts'
import { clientOfRequest } from '../../platform/http/client.ts'
import { beginFailure, movedTo, sendError } from '../../platform/http/errors.ts'
import { admitDownload, admitTo, admitUpload } from './lfs-access.ts'
import { readJsonBody, sendJson, sendMessage, type AddLfs } from './lfs-answer.ts'
import { lengthHeaders, readRange } from '../../platform/http/stored-file.ts'
import { bytesOf } from '../../platform/storage/bytes.ts'
import { planBatch, type Operation } from '../../code/lfs/batch.ts'
import { linksTo, sentAs } from '../../code/lfs/links.ts'
import { lockRoutes } from './lock-routes.ts'
import { findObject } from '../../code/lfs/media.ts'
import { assertPointer, lfsKey } from '../../code/lfs/object.ts'
import { lfsUrl, LFS_TYPE, presentPlanned } from '../../code/lfs/present.ts'
import { BatchBody, VerifyBody } from '../../code/lfs/schema.ts'
import { hasObject, storeObject } from '../../code/lfs/store.ts'

/** The API of Git LFS, below the address of each repository. */
export function lfsPages(server: FastifyInstance, ctx: Context): void {
  if (!ctx.config.lfs.enabled) return
  const add: AddLfs = (method, path, { isJson }, handle) =>
    server.route({
      method,
      url: `/:owner/:repo/info/lfs${path}`,
      exposeHeadRoute: false,
      errorHandler: (error, request, reply) => sendLfsError(ctx, error, request, reply),
      handler: async (request, reply) => {
        if (!isJson) return handle(request, reply)
        if (!acceptsJson(request)) return sendMessage(reply, 415, `Accept must name ${LFS_TYPE}`)
        return handle(request, reply)
      },
    })
  objectRoutes(add, ctx)
  lockRoutes(add, ctx)
}

function objectRoutes(add: AddLfs, ctx: Context): void {
  add('POST', '/objects/batch', { isJson: true }, (request, reply) => batch(ctx, request, reply))
  add('PUT', '/objects/:oid/:size', { isJson: false }, (request, reply) =>
    upload(ctx, request, reply),
  )
  for (const path of ['/objects/:oid', '/objects/:oid/:name']) {
    add('GET', path, { isJson: false }, (request, reply) => download(ctx, request, reply))
  }
  add('POST', '/verify', { isJson: true }, async (request, reply) => {
    const { view } = await admitUpload(ctx, request)
    const pointer = await readJsonBody(ctx, request, VerifyBody)
    assertPointer(pointer)
    if (!(await hasObject(ctx, view.repo, pointer))) throw notFound('Not Found')
    return sendJson(reply, 200, {})
  })
}

async function batch(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  // Who is asked to sign in depends on what is asked for, so here the body is read before.
  const body = await readJsonBody(ctx, request, BatchBody)
  const operation = readOperation(body.operation)
  if ((body.hash_algo ?? 'sha256') !== 'sha256') {
    throw new AppError('conflict', 'Objects are named by SHA-256 here')
  }
  if (!body.objects) throw invalid('The objects are missing')
  const { caller, view } = await admitTo(ctx, request, operation)
  const planned = await planBatch(ctx, caller, view, operation, body.objects)
  const base = lfsUrl(ctx.config, view)
  const { authorization } = request.headers
  const links = await linksTo(ctx, view.repo, planned)
  const objects = planned.map((one) =>
    presentPlanned(base, authorization, one, links.get(one.pointer.oid)),
  )
  return sendJson(reply, 200, { transfer: 'basic', objects })
}

function readOperation(text: string): Operation {
  if (text === 'download' || text === 'upload') return text
  throw new AppError('bad_request', 'The operation must be download or upload')
}

async function upload(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const admitted = await admitUpload(ctx, request)
  const { repo } = admitted.view
  const { oid = '', size = '' } = request.params as Record<string, string>
  const pointer = { oid, size: /^\d{1,16}$/.test(size) ? Number(size) : -1 }
  assertPointer(pointer)
  const declared = request.headers['content-length']
  if (declared !== undefined && Number(declared) !== pointer.size) {
    throw invalid(`The content has ${declared} bytes instead of ${pointer.size}`)
  }
  if (!(await hasObject(ctx, repo, pointer))) {
    const recheck = async () => void (await admitUpload(ctx, request))
    await storeObject(ctx, repo, pointer, bytesOf(request.raw), recheck)
  }
  return reply.status(200).send()
}

async function download(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { view } = await admitDownload(ctx, request)
  const { oid = '' } = request.params as Record<string, string>
  const file = await findObject(ctx, view.repo, oid)
  if (!file) throw notFound('Not Found')
  const range = readRange(request.headers.range, file.size)
  const headers = {
    'content-type': sentAs.contentType,
    'content-disposition': sentAs.contentDisposition,
    'accept-ranges': 'bytes',
    etag: `"${oid}"`,
  }
  if (range === 416 || range === 400) {
    return reply
      .status(416)
      .headers({ ...headers, 'content-range': `bytes */${file.size}` })
      .send()
  }
  const planned = {
    status: range ? 206 : 200,
    ...(range ? { part: range } : {}),
    headers: { ...headers, ...lengthHeaders(file.size, range) },
  }
  const answer = await answerStored(ctx, lfsKey(file.uuid), planned, clientOfRequest(request))
  return reply
    .status(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body)
}

function acceptsJson({ headers }: FastifyRequest): boolean {
  const types = (headers.accept ?? '').split(',').map((type) => type.split(';')[0]?.trim())
  return types.includes(LFS_TYPE)
}

function sendLfsError(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // Clients repeat the request there, with its body: 307 lets them.
  if (error instanceof Moved) return void reply.redirect(movedTo(ctx, error, request), 307)
  if (!(error instanceof AppError)) return sendError(ctx, error, request, reply, request.caller)
  if (error.code === 'unauthenticated') reply.header('www-authenticate', 'Basic realm="gitea-lfs"')
  const { status } = beginFailure(request, reply, error)
  sendMessage(reply, status, error.message)
}
