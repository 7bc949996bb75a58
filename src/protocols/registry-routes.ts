import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Context, SignedInCaller } from '../platform/context.ts'
import { AppError, isNotFound, Moved } from '../platform/errors.ts'
import { answerStored } from '../platform/http/bucket.ts'
import { signedIn } from '../platform/http/call.ts'
import { assertHolds, identify } from '../identity/callers/identify.ts'
import { clientOfRequest } from '../platform/http/client.ts'
import { beginFailure, movedTo, sendError } from '../platform/http/errors.ts'
import { planAnswer } from '../platform/http/stored-file.ts'
import { isUnitAvailable } from '../repositories/repository/units.ts'
import { bytesOf } from '../platform/storage/bytes.ts'
import type { Account } from '../identity/users/account.ts'
import { askerOf } from '../identity/callers/asker.ts'
import { assertPublishesFor, loadPublisher } from '../delivery/packages/access.ts'
import {
  GENERIC,
  packageKey,
  type PackageFile,
  type PackageVersion,
} from '../delivery/packages/package.ts'
import { loadFile, loadVersion, removeFile, removeVersion } from '../delivery/packages/packages.ts'
import { publishFile } from '../delivery/packages/publish.ts'

interface Entered {
  readonly caller: Caller
  readonly owner: Account
}

interface Publisher extends Entered {
  readonly caller: SignedInCaller
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Identify = (ctx: Context, request: FastifyRequest, reply: FastifyReply) => Promise<Caller>
type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'

/** Where files of packages are published and had: the registry of generic packages. */
export function registryPages(server: FastifyInstance, ctx: Context): void {
  if (!isUnitAvailable(ctx.config, 'repo.packages')) return
  const version = `/api/packages/:owner/${GENERIC}/:name/:version`
  const add = (method: Method[], url: string, handler: Handle) =>
    server.route({
      method,
      url,
      exposeHeadRoute: false,
      errorHandler: (error, request, reply) => sendRefusal(ctx, error, request, reply),
      handler,
    })

  const give = ['GET', 'HEAD'] satisfies Method[]
  add(give, `${version}/:file`, (request, reply) => sendNamed(ctx, request, reply, identify))
  // For links on pages, where a session counts.
  add(give, `/:owner/-/packages/${GENERIC}/:name/:version/files/:file`, (request, reply) =>
    sendNamed(ctx, request, reply, askerOf),
  )
  add(['PUT'], `${version}/:file`, (request, reply) => take(ctx, request, reply))
  add(['DELETE'], `${version}/:file`, async (request, reply) => {
    const { caller, owner } = await enterToChange(ctx, request, reply)
    const found = await loadVersionOf(ctx, request, owner)
    await removeFile(ctx, caller, found, await loadFile(ctx, found, paramsOf(request).file))
    return reply.status(204).send()
  })
  add(['DELETE'], version, async (request, reply) => {
    const { caller, owner } = await enterToChange(ctx, request, reply)
    await removeVersion(ctx, caller, await loadVersionOf(ctx, request, owner))
    return reply.status(204).send()
  })
}

async function take(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { owner } = await enterToChange(ctx, request, reply)
  await publishFile(ctx, owner, paramsOf(request), {
    content: bytesOf(request.raw),
    declaredBytes: Number(request.headers['content-length'] ?? 0),
    recheck: () => enterToChange(ctx, request, reply),
  })
  return reply.status(201).send()
}

async function sendNamed(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Identify,
): Promise<FastifyReply> {
  const { owner } = await enter(ctx, request, reply, who)
  const found = await loadVersionOf(ctx, request, owner)
  return sendFile(ctx, request, reply, owner, await loadFile(ctx, found, paramsOf(request).file))
}

async function sendFile(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Account,
  file: PackageFile,
): Promise<FastifyReply> {
  const { headers } = request
  const served = {
    ...file,
    mediaType: 'application/octet-stream',
    uploadedAt: file.createdAt,
    isPrivate: owner.visibility !== 'public',
    disposition: 'attachment',
  } as const
  const planned = planAnswer(served, {
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    range: headers.range,
    ifRange: [headers['if-range'] ?? []].flat()[0],
  })
  const hasBytes = planned.status < 300 && file.size > 0 && request.method === 'GET'
  const answer = hasBytes
    ? await answerStored(ctx, packageKey(file.uuid), planned, clientOfRequest(request))
    : planned
  return reply
    .status(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body)
}

/**
 * Who asks, and whose packages it is about. To the anonymous, what they may not see may need a
 * password.
 */
async function enter(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Identify = identify,
): Promise<Entered> {
  const caller = await who(ctx, request, reply)
  request.caller = caller
  assertHolds(caller, ['package'], levelOf(request))
  const owner = await loadPublisher(ctx, caller, paramsOf(request).owner).catch(
    (error: unknown) => {
      const isHidden = isNotFound(error) && !caller.account
      throw isHidden ? signInFirst() : error
    },
  )
  return { caller, owner }
}

function levelOf({ method }: FastifyRequest): 'read' | 'write' {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write'
}

async function enterToChange(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Publisher> {
  const { caller, owner } = await enter(ctx, request, reply)
  const publisher = signedIn(caller)
  await assertPublishesFor(ctx, publisher, owner)
  return { caller: publisher, owner }
}

function signInFirst(): AppError {
  return new AppError('unauthenticated', 'Sign in with a name and a password or an access token.')
}

async function loadVersionOf(
  ctx: Context,
  request: FastifyRequest,
  { id }: Account,
): Promise<PackageVersion> {
  const { name, version } = paramsOf(request)
  return loadVersion(ctx, { ownerId: id, type: GENERIC, name }, version)
}

function paramsOf({ params }: FastifyRequest) {
  const { owner = '', name = '', version = '', file = '' } = params as Record<string, string>
  return { owner, name, version, file }
}

/** Plain text, for whoever looks at what a program was told. */
function sendRefusal(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // Clients repeat the request there, with its body.
  if (error instanceof Moved) return void reply.redirect(movedTo(ctx, error, request), 307)
  if (!(error instanceof AppError)) return sendError(ctx, error, request, reply, request.caller)
  if (error.code === 'unauthenticated') {
    reply.header('www-authenticate', 'Basic realm="Gitea Package API"')
  }
  beginFailure(request, reply, error)
  reply.header('content-type', 'text/plain; charset=utf-8').send(`${error.message}\n`)
}
