import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { AppError, forbidden, Moved } from '../../platform/errors.ts'
import { LARGE_PACK_BYTES } from '../../platform/git/large-pack.ts'
import { readPushHead } from '../../platform/git/pkt-line.ts'
import {
  advertise,
  uploadPack,
  type Answer,
  type Service,
  type Serving,
} from '../../platform/git/serve.ts'
import { Slots } from '../../platform/git/slots.ts'
import { streamOf } from '../../platform/git/stream.ts'
import { allowSilenceAfter } from '../../platform/network/connections.ts'
import { receivePush, type Push } from '../../code/pushes/receive.ts'
import { folderToRead, folderToWrite } from '../../code/pushes/rules.ts'
import { takersOf } from '../../platform/http/client.ts'
import { clientOfRequest } from '../../platform/http/client.ts'
import { beginFailure, movedTo, sendError } from '../../platform/http/errors.ts'
import {
  admitFetch,
  admitPush,
  pathOf,
  readmitPush,
  type Admitted,
  type AdmittedPush,
} from './git-access.ts'
import { readGitBody } from './git-body.ts'
import { answerGivesWay } from '../../platform/http/give-way-to-others.ts'
import { goneSignal } from '../../platform/http/gone.ts'
import { addPlainGit, sendRefs } from './git-plain.ts'

/** What a fetch asks with: wants and haves. */
const MAX_FETCH_BYTES = 10 * 1024 * 1024
const limits = { atOnce: 16, waiting: 64, patienceMs: 30_000 }

const uncached = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
}

/**
 * What the routes of git share: how they fail, and the places for those who ask for refs, who
 * fetch and who push.
 */
interface Door {
  readonly common: ReturnType<typeof gitRoute>
  readonly asking: Slots
  readonly fetching: Slots
  readonly pushing: Slots
}

/** Git over HTTP. */
export function addGit(server: FastifyInstance, ctx: Context): void {
  const [asking, fetching, pushing] = [new Slots(limits), new Slots(limits), new Slots(limits)]
  const door = { common: gitRoute(ctx), asking, fetching, pushing }
  addPlainGit(server, door.common, (request) => folderToFetch(ctx, request))
  addAdvertisements(server, ctx, door)
  addFetches(server, ctx, door)
  addPushes(server, ctx, door)
}

function gitRoute(ctx: Context) {
  return {
    exposeHeadRoute: false,
    config: { hasOwnPlaces: true as const },
    errorHandler: async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      sendGitError(ctx, await refusalBehind(ctx, request, error), request, reply)
      return reply
    },
  }
}

function addAdvertisements(server: FastifyInstance, ctx: Context, { common, asking }: Door): void {
  server.get('/:owner/:repo/info/refs', common, async (request, reply) => {
    const service = readService(request)
    if (!service) return sendPlainRefs(ctx, asking, request, reply)
    assertServed(ctx)
    const [admit, findFolder] =
      service === 'git-upload-pack' ? [admitFetch, folderToRead] : [admitPush, folderToWrite]
    const admitted = await admit(ctx, request, pathOf(request))
    const { repo } = admitted.view
    const { objectFormat } = repo
    const folder = await findFolder(ctx, repo, admitted.part)
    const type = `application/x-${service}-advertisement`
    return answerFrom(asking, takersFrom(request, admitted), reply, type, (signal) =>
      advertise(ctx.git, folder, service, {
        ...servingOf(request, signal, service),
        objectFormat,
      }),
    )
  })
}

function addFetches(server: FastifyInstance, ctx: Context, { common, fetching }: Door): void {
  server.post('/:owner/:repo/git-upload-pack', common, async (request, reply) => {
    assertServed(ctx)
    assertRequestOf('git-upload-pack', request)
    const admitted = await admitFetch(ctx, request, pathOf(request))
    const folder = await folderToRead(ctx, admitted.view.repo, admitted.part)
    const body = readGitBody(request.raw, MAX_FETCH_BYTES)
    const takers = takersFrom(request, admitted)
    return answerFrom(fetching, takers, reply, 'application/x-git-upload-pack-result', (signal) =>
      uploadPack(ctx.git, folder, body, servingOf(request, signal, 'git-upload-pack')),
    )
  })
}

function addPushes(server: FastifyInstance, ctx: Context, { common, pushing }: Door): void {
  const pushes = new Set<Promise<void>>()
  server.post('/:owner/:repo/git-receive-pack', common, async (request, reply) => {
    assertServed(ctx)
    assertRequestOf('git-receive-pack', request)
    const admitted = await admitPush(ctx, request, pathOf(request))
    await ctx.room.assertLeft()
    const signal = goneSignal(reply.raw)
    const leave = await pushing.take(signal, takersFrom(request, admitted))
    const output = new PassThrough()
    const begun = beginPush(ctx, admitted, request, { output, signal })
    const push = begun.then(({ done }) => done).finally(leave)
    pushes.add(push)
    const forget = () => void pushes.delete(push)
    push.then(forget, forget)
    await begun
    reply.headers({ ...uncached, 'content-type': 'application/x-git-receive-pack-result' })
    return reply.send(output)
  })
  // A push whose client has left is not in flight any more, but not over either.
  server.addHook('onClose', async () => void (await Promise.allSettled(pushes)))
}

/** Reads what is wanted; then gives the work that goes on behind the answer. */
async function beginPush(
  ctx: Context,
  admitted: AdmittedPush,
  request: FastifyRequest,
  { output, signal }: Pick<Push, 'output' | 'signal'>,
): Promise<{ readonly done: Promise<void> }> {
  const head = await readPushHead(readGitBody(request.raw, Number.POSITIVE_INFINITY))
  // Before it sends much, git tries with nothing whether it may.
  if (head.updates.length === 0) return { done: Promise.resolve(void output.end()) }
  const recheck = () => readmitPush(ctx, request, admitted)
  const push = { head, isLarge: isLarge(request), output, signal, recheck }
  // Git may work longer than a connection may stay silent.
  allowSilenceAfter(request.raw)
  return { done: receivePush(ctx, admitted.caller, admitted, push) }
}

async function sendPlainRefs(
  ctx: Context,
  asking: Slots,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const folder = await folderToFetch(ctx, request)
  const leave = await asking.take(goneSignal(reply.raw), [clientOfRequest(request)])
  try {
    return await sendRefs(ctx, reply.headers(uncached), folder)
  } finally {
    leave()
  }
}

async function folderToFetch(ctx: Context, request: FastifyRequest): Promise<string> {
  assertServed(ctx)
  const { view, part } = await admitFetch(ctx, request, pathOf(request))
  return folderToRead(ctx, view.repo, part)
}

function assertServed({ config }: Context): void {
  if (!config.repositories.http_git) throw forbidden('Git over HTTP is switched off.')
}

/** Without a service, a client of the other protocol asks. */
function readService({ query }: FastifyRequest): Service | undefined {
  const { service } = query as Record<string, unknown>
  if (service === undefined) return undefined
  if (service === 'git-upload-pack' || service === 'git-receive-pack') return service
  throw new AppError('bad_request', 'There is no such service.')
}

function assertRequestOf(service: Service, { headers }: FastifyRequest): void {
  if (headers['content-type'] === `application/x-${service}-request`) return
  throw new AppError(
    'bad_request',
    `The body must be of the type application/x-${service}-request.`,
  )
}

/** Git sends in chunks what is longer than its buffer. */
function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return length === undefined || Number(length) > LARGE_PACK_BYTES
}

/** Pushes are of version 0, whatever is asked for. */
function servingOf({ headers }: FastifyRequest, signal: AbortSignal, service: Service): Serving {
  const asked = headers['git-protocol']
  const isKnown = typeof asked === 'string' && /^version=[0-2]$/.test(asked)
  return { signal, protocol: isKnown && service === 'git-upload-pack' ? asked : undefined }
}

function takersFrom({ ip }: FastifyRequest, { caller, view }: Admitted): readonly string[] {
  return takersOf(caller, ip, view.repo)
}

/**
 * Sends what `run` gives, in one of the places for such work, for as long as the client is there.
 */
async function answerFrom(
  slots: Slots,
  takers: readonly string[],
  reply: FastifyReply,
  type: string,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<FastifyReply> {
  const signal = goneSignal(reply.raw)
  const leave = await slots.take(signal, takers)
  reply.raw.once('close', leave)
  answerGivesWay(slots, reply.raw)
  const answer = await run(signal)
  reply.headers({ ...uncached, 'content-type': type })
  if (answer instanceof Uint8Array) {
    leave()
    return reply.send(answer)
  }
  const output = streamOf(answer)
  output.once('close', leave)
  return reply.send(output)
}

/**
 * What breaks may do so for want of the repository, which somebody deletes meanwhile: then it is as
 * if asked for after that.
 */
async function refusalBehind(
  ctx: Context,
  request: FastifyRequest,
  error: unknown,
): Promise<unknown> {
  if (isRefusal(error)) return error
  try {
    await admitFetch(ctx, request, pathOf(request))
    return error
  } catch (refusal) {
    return isRefusal(refusal) ? refusal : error
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError || error instanceof Moved
}

/** Git shows plain text to whoever sits in front of it. */
function sendGitError(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof Moved) {
    return void reply.redirect(movedTo(ctx, error, request), 301)
  }
  if (!(error instanceof AppError)) return sendError(ctx, error, request, reply, request.caller)
  if (error.code === 'unauthenticated') {
    reply.header('www-authenticate', `Basic realm="${realmOf(ctx)}"`)
  }
  beginFailure(request, reply, error)
  reply
    .headers({ ...uncached, 'content-type': 'text/plain; charset=utf-8' })
    .send(`${error.message}\n`)
}

/**
 * By the first of these names, Git Credential Manager knows that it can ask for consent here
 * instead of a password.
 */
function realmOf({ config: { oauth2 } }: Context): string {
  const isKnown = oauth2.built_in_applications.includes('git-credential-manager')
  return oauth2.enabled && isKnown ? 'Gitea' : 'Codestead'
}
