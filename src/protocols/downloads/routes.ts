import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { keyOf } from '../../platform/files/key.ts'
import { findByUuid, findOfRelease } from '../../repositories/attachments/load.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import { anonymous, type Caller, type Context } from '../../platform/context.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answer.ts'
import { answerStored, firstByte } from '../../platform/http/bucket.ts'
import { beginFailure, sendText } from '../../platform/http/errors.ts'
import { clientOfRequest } from '../../platform/http/client.ts'
import { answerElsewhere } from '../../platform/http/files-host.ts'
import { dispositionOf, planAnswer, type PlannedAnswer } from '../../platform/http/stored-file.ts'
import { findForDownload, loadLatest } from '../../delivery/releases/load.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { FileMissing } from '../../platform/storage/file-storage.ts'
import { askerOf } from '../../identity/callers/asker.ts'
import { viewerOf } from '../../identity/callers/viewer.ts'
import { assertMayDownload, loadAddressed } from '../../delivery/downloads/access.ts'

type Params = Readonly<Record<string, string>>
type Find = (ctx: Context, caller: Caller, params: Params) => Promise<Attachment | undefined>
type Identify = (ctx: Context, request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

/** The addresses of uploaded files, which records hand out. */
export function uploadPages(server: FastifyInstance, ctx: Context): void {
  const repo = '/:owner/:repo'
  const add = (url: string, find: Find, who: Identify = askerOf) =>
    server.route({
      method: ['GET', 'HEAD'],
      url,
      exposeHeadRoute: false,
      config: { isFile: true },
      handler: (request, reply) => answer(ctx, request, reply, find, who),
    })

  add('/attachments/:uuid', (_ctx, _caller, { uuid = '' }) => findByUuid(ctx, uuid))
  add(`${repo}/attachments/:uuid`, findInRepository)
  add(`${repo}/releases/attachments/:uuid`, findBesideReleases)
  add(`${repo}/releases/download/:tag/:name`, findByTagAndName)
  add(`${repo}/releases/latest/download/:name`, findInLatest)
  // Pages of a browser: no credential but a session counts.
  const viewer: Identify = async (_ctx, request) => {
    const caller = await viewerOf(ctx, request)
    const isOpen = caller.account !== undefined || ctx.config.security.require_sign_in !== 'true'
    if (!isOpen) throw forbidden('Forbidden')
    return caller
  }
  add(`${repo}/issues/:index/attachments/:uuid`, findInRepository, viewer)
  add(`${repo}/pulls/:index/attachments/:uuid`, findInRepository, viewer)
  server.route({
    method: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/attachments/:uuid',
    handler: async (_request, reply) => reply.status(405).header('allow', 'GET, HEAD').send(),
  })
}

async function answer(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  find: Find,
  who: Identify,
): Promise<FastifyReply> {
  try {
    const caller = request.signedFor ?? (await who(ctx, request, reply))
    request.caller = caller
    const params = request.params as Params
    return await sendFound(ctx, request, reply, () => find(ctx, caller, params))
  } catch (error) {
    if (error instanceof AppError) return refuse(ctx, request, reply, error)
    if (!(error instanceof FileMissing)) throw error
    request.log.error({ err: error, reqId: request.id }, 'file missing')
    sendLine(reply, 500, 'Internal Server Error')
    return reply
  }
}

async function sendFound(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<Attachment | undefined>,
): Promise<FastifyReply> {
  const attachment = await find()
  if (!attachment) throw notFound()
  const { repo, owner } = await assertMayDownload(ctx, request.caller ?? anonymous, attachment)
  const isPrivate = repo.isPrivate || owner.visibility !== 'public'
  const elsewhere = answerElsewhere(ctx, request, isPrivate)
  if (elsewhere)
    return reply
      .status(elsewhere.status)
      .headers(elsewhere.headers ?? {})
      .send()
  try {
    return await sendFile(ctx, request, reply, attachment, isPrivate)
  } catch (error) {
    // It may have been replaced or deleted since it was looked up.
    if (!(error instanceof FileMissing) || (await find())?.id === attachment.id) throw error
    return sendFound(ctx, request, reply, find)
  }
}

async function sendFile(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attachment: Attachment,
  isPrivate: boolean,
): Promise<FastifyReply> {
  ctx.downloadCounts.note(attachment.id)
  const disposition = dispositionOf(ctx.config, attachment.mediaType)
  const file = { ...attachment, uploadedAt: attachment.createdAt, isPrivate, disposition }
  const { headers } = request
  const planned = planAnswer(file, {
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    range: headers.range,
    ifRange: [headers['if-range'] ?? []].flat()[0],
  })
  const hasBytes = planned.status < 300 && attachment.size > 0
  const isHead = request.method === 'HEAD'
  const found = hasBytes
    ? await fromStorage(ctx, attachment, (key) => answerWith(ctx, request, key, planned))
    : planned
  return reply
    .status(found.status)
    .headers(found.headers ?? {})
    .send(isHead ? undefined : found.body)
}

/** Who asks for the headers alone hears, too, when the bytes are gone. */
async function answerWith(
  ctx: Context,
  request: FastifyRequest,
  key: string,
  planned: PlannedAnswer,
): Promise<Answer> {
  if (request.method !== 'HEAD') return answerStored(ctx, key, planned, clientOfRequest(request))
  await (await ctx.files.open(key, firstByte)).toArray()
  return planned
}

/** What is missing is our fault; a storage that does not answer now may do so soon. */
async function fromStorage(
  ctx: Context,
  { uuid }: Attachment,
  work: (key: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work(keyOf(uuid))
  } catch (error) {
    if (error instanceof FileMissing) throw error
    ctx.log.error({ err: error, uuid }, 'file not read')
    throw new AppError('unavailable', 'Service Unavailable', { cause: error, retryAfter: 5 })
  }
}

/** Browsers get a text, and who must sign in is led there. */
function refuse(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
): FastifyReply {
  if (error.code === 'unauthenticated') {
    sendLine(reply, 401, 'Failed to authenticate user')
  } else if (error.code === 'forbidden' && mustSignIn(ctx, request)) {
    reply.redirect(`${baseUrl(ctx.config)}/user/login`, 303)
  } else if (error.code === 'forbidden') {
    sendLine(reply, 403, 'Forbidden')
  } else if (error.code === 'not_found') {
    sendLine(reply, 404, 'Not Found')
  } else {
    const { status } = beginFailure(request, reply, error)
    sendLine(reply, status, error.message)
  }
  return reply
}

/** As the reference writes it. */
function sendLine(reply: FastifyReply, status: number, text: string): void {
  sendText(reply, status, `${text}\n`)
}

function mustSignIn({ config }: Context, { headers, caller }: FastifyRequest): boolean {
  const isAnonymous = caller?.account === undefined && headers.authorization === undefined
  return config.security.require_sign_in === 'true' && isAnonymous
}

async function findInRepository(
  ctx: Context,
  caller: Caller,
  { owner = '', repo = '', uuid = '' }: Params,
): Promise<Attachment | undefined> {
  const view = await loadAddressed(ctx, caller, { owner, repo }, ['issue', 'repository'])
  const attachment = await findByUuid(ctx, uuid)
  return attachment?.repositoryId === view.repo.id ? attachment : undefined
}

/** The address lies where only readers of releases go, whatever the file belongs to. */
async function findBesideReleases(
  ctx: Context,
  caller: Caller,
  params: Params,
): Promise<Attachment | undefined> {
  const { owner = '', repo = '' } = params
  const view = await loadAddressed(ctx, caller, { owner, repo }, ['repository'])
  return readsUnit(view, 'repo.releases') ? findInRepository(ctx, caller, params) : undefined
}

async function findByTagAndName(
  ctx: Context,
  caller: Caller,
  { owner = '', repo = '', tag = '', name = '' }: Params,
): Promise<Attachment | undefined> {
  const view = await loadAddressed(ctx, caller, { owner, repo }, ['repository'])
  if (view.repo.isEmpty) return undefined
  const release = await findForDownload(ctx, view, tag)
  return release && findOfRelease(ctx, release.id, name)
}

/** Here `latest` is no tag, be there one that is called so. */
async function findInLatest(
  ctx: Context,
  caller: Caller,
  { owner = '', repo = '', name = '' }: Params,
): Promise<Attachment | undefined> {
  const view = await loadAddressed(ctx, caller, { owner, repo }, ['repository'])
  const { id } = await loadLatest(ctx, view)
  return findOfRelease(ctx, id, name)
}
