import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseUrl, encodeSegment } from '../config/urls.ts'
import type { Caller, Context } from '../context.ts'
import { readSignature, signPath } from './file-signature.ts'
import type { Answer } from './answer.ts'
import { sendText } from './errors.ts'
import { Query } from './query.ts'
import type { Callers } from './server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What people uploaded or pushed is shown here: with `server.files_url`, at the host of files
     * alone.
     */
    isFile?: true
  }

  interface FastifyRequest {
    /** At the host of files: whom its signature was made for. Nothing else there says who asks. */
    signedFor: Caller | undefined
  }
}

const PARAMETER = 'signed'

/**
 * Keeps the host of files to its files, for those who come with a signature. The others are led
 * back to where one is made, unless they bring one that is not ours: they could be led back and
 * forth for ever.
 */
export function addFilesHost(
  server: FastifyInstance,
  ctx: Context,
  callers: Pick<Callers, 'callerFor'>,
): void {
  server.decorateRequest('signedFor', undefined)
  const { files_url: root } = ctx.config.server
  if (root === '') return
  const { hostname } = new URL(root)

  server.addHook('onRequest', async (request, reply) => {
    const isFile = request.routeOptions.config?.isFile === true
    if (hostnameOf(request) === hostname) {
      if (isFile) return admit(ctx, callers, request, reply)
      sendText(reply, 404, '404 page not found\n')
      return reply
    }
    if (!isFile || signatureOf(request) === undefined) return undefined
    // A proxy that hides the name would have us lead to this address again and again.
    sendText(reply, 421, `This address is one of ${hostname}: proxies have to pass on that name.\n`)
    return reply
  })

  // The pages that show a private file are of another site here. Who knows a signed address has the
  // file anyway.
  server.addHook('onSend', async (request, reply) => {
    const policy = 'cross-origin-resource-policy'
    if (request.signedFor && reply.hasHeader(policy)) reply.header(policy, 'cross-origin')
  })
}

/**
 * The way to the host of files, for who may have the file; nothing where it is to be sent here.
 * Other sites that embed the address are kept out here as they are from the file.
 */
export function answerElsewhere(
  ctx: Context,
  request: FastifyRequest,
  isPrivate: boolean,
): Answer | undefined {
  const { files_url: root } = ctx.config.server
  const isHere = root === '' || request.signedFor || !request.routeOptions.config.isFile
  if (isHere) return undefined
  const path = plainPath(request)
  const signature = signPath(ctx, path, request.caller?.account?.id ?? 0)
  return {
    status: 303,
    headers: {
      location: `${root}${path}?${PARAMETER}=${signature}`,
      'cache-control': 'private, no-store',
      ...(isPrivate ? { 'cross-origin-resource-policy': 'same-site' } : {}),
    },
  }
}

async function admit(
  ctx: Context,
  { callerFor }: Pick<Callers, 'callerFor'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const path = plainPath(request)
  const given = signatureOf(request)
  const signature = given === undefined ? undefined : readSignature(ctx, path, given)
  const isLedBack = given === undefined || signature?.isOver
  if (isLedBack) {
    return reply
      .header('cache-control', 'private, no-store')
      .redirect(baseUrl(ctx.config) + path, 303)
  }
  request.signedFor = signature && (await callerFor(ctx, signature.accountId))
  if (request.signedFor) return undefined
  sendText(reply, 403, 'Forbidden\n')
  return reply
}

function signatureOf(request: FastifyRequest): string | undefined {
  return new Query(request.query).text(PARAMETER)
}

/** Without the query, in one of the spellings that mean the same: clients have their own. */
function plainPath({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?')
  return path
    .split('/')
    .map((part) => encodeSegment(decodeURIComponent(part)))
    .join('/')
}

/** As a trusted proxy tells it, and without the port: cookies know none either. */
function hostnameOf({ host }: FastifyRequest): string | undefined {
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}
