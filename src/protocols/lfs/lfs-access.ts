import type { FastifyRequest } from 'fastify'
import { logFailedSignIn } from '../../platform/audit.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { openById } from '../../repositories/deploy-keys/open.ts'
import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { findKeyHolder } from '../../identity/keys/sign-in.ts'
import type { Operation } from '../../code/lfs/batch.ts'
import { readTicket, type Ticket } from '../../code/lfs/ticket.ts'
import { assertMayPush, canFetch, notReadable } from '../../code/pushes/access.ts'
import { readCodePath, type PartPath } from '../../code/pushes/part.ts'
import { loadVisibleById } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { assertUsable } from '../../identity/callers/identify.ts'
import { admitFetch, admitPush, type Admitted, type AdmittedPush } from '../git-http/git-access.ts'

/** Downloads are for those who may fetch. */
export async function admitDownload(ctx: Context, request: FastifyRequest): Promise<Admitted> {
  const ticket = ticketOf(ctx, request)
  if (!ticket) return admitFetch(ctx, request, pathOf(request))
  const admitted = await redeem(ctx, request, ticket)
  if (canFetch(admitted.view, 'code')) return admitted
  throw notReadable('code')
}

/** Uploads and locks are for those who may push. */
export async function admitUpload(ctx: Context, request: FastifyRequest): Promise<AdmittedPush> {
  const ticket = ticketOf(ctx, request)
  if (!ticket) return admitPush(ctx, request, pathOf(request))
  const admitted = await redeem(ctx, request, ticket)
  if (ticket.operation !== 'upload') throw forbidden('This ticket is for downloads only.')
  assertMayPush(admitted.view, 'code')
  return admitted
}

export async function admitTo(
  ctx: Context,
  request: FastifyRequest,
  operation: Operation,
): Promise<Admitted> {
  return operation === 'upload' ? admitUpload(ctx, request) : admitDownload(ctx, request)
}

/** What was given to a client over SSH; its form is unlike that of a token. */
function ticketOf(ctx: Context, { headers, ip }: FastifyRequest): Ticket | undefined {
  const [, text] = /^Bearer ([\w-]+\.[0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? []
  if (text === undefined) return undefined
  const ticket = readTicket(ctx, text)
  if (ticket) return ticket
  logFailedSignIn(ctx.log, { address: ip, by: 'lfs ticket', reason: 'wrong lfs ticket' })
  throw new AppError('unauthenticated', 'The ticket is not valid any more.')
}

type Holder = Omit<AdmittedPush, 'part'>

async function redeem(
  ctx: Context,
  request: FastifyRequest,
  ticket: Ticket,
): Promise<AdmittedPush> {
  const admitted = ticket.deployKeyId === 0 ? byAccount(ctx, ticket) : byDeployKey(ctx, ticket)
  const { caller, view } = await admitted.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unauthenticated') {
      logFailedSignIn(ctx.log, { address: request.ip, by: 'lfs ticket', reason: 'key is gone' })
    }
    throw error
  })
  if (!isAt(request, view)) throw notFound('Repository not found')
  request.caller = caller
  return { caller, view, part: 'code' }
}

async function byAccount(ctx: Context, ticket: Ticket): Promise<Holder> {
  const holder = await findKeyHolder(ctx, ticket.fingerprint)
  if (holder?.account.id !== ticket.accountId) throw keyIsGone()
  const { account } = holder
  assertUsable(ctx, account)
  const caller: SignedInCaller = { account, credential: { kind: 'ssh-key' }, publicOnly: false }
  return { caller, view: await loadVisibleById(ctx, caller, ticket.repositoryId) }
}

async function byDeployKey(ctx: Context, ticket: Ticket): Promise<Holder> {
  const opened = await openById(ctx, ticket.repositoryId, ticket.deployKeyId)
  if (!opened) throw keyIsGone()
  return opened
}

function keyIsGone(): AppError {
  return new AppError('unauthenticated', 'The key is gone.')
}

/** A ticket is good for the repository that it was given for. */
function isAt(request: FastifyRequest, { owner, repo }: RepositoryView): boolean {
  const path = pathOf(request)
  return (
    path.owner.toLowerCase() === owner.name.toLowerCase() &&
    path.repo.toLowerCase() === repo.name.toLowerCase()
  )
}

/** A wiki has nothing of Git LFS: there the path leads to no repository. */
function pathOf({ params }: FastifyRequest): PartPath {
  const { owner = '', repo = '' } = params as Record<string, string>
  return readCodePath(owner, repo)
}
