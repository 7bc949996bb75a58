import type { FastifyRequest } from 'fastify'
import { authenticate, refused } from '../../identity/auth/authenticate.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, isNotFound, notFound } from '../../platform/errors.ts'
import { assertMayPush, canFetch, isThere, notReadable } from '../../code/pushes/access.ts'
import { loadOrCreate } from '../../code/pushes/create-by-push.ts'
import { readPartPath, type Part, type PartPath } from '../../code/pushes/part.ts'
import { loadVisible, loadVisibleById } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { assertHolds, assertUsable } from '../../identity/callers/identify.ts'
import { Query } from '../../platform/http/query.ts'

export interface Admitted {
  readonly caller: Caller
  readonly view: RepositoryView
  readonly part: Part
}

export interface AdmittedPush extends Admitted {
  readonly caller: SignedInCaller
}

/**
 * Who asks, and the repository as they see it: 401 asks git for a name and a password, or for other
 * ones.
 */
export async function admitFetch(
  ctx: Context,
  request: FastifyRequest,
  path: PartPath,
): Promise<Admitted> {
  const caller = await identify(ctx, request)
  assertHolds(caller, ['repository'], 'read')
  if (!caller.account && ctx.config.security.require_sign_in === 'true') throw signInFirst()
  const { part } = path
  const view = await orAbsent(caller, part, loadVisible(ctx, caller, path))
  if (canFetch(view, part)) return { caller, view, part }
  throw caller.account ? notReadable(part) : signInFirst()
}

export async function admitPush(
  ctx: Context,
  request: FastifyRequest,
  path: PartPath,
): Promise<AdmittedPush> {
  const caller = await identifyPusher(ctx, request)
  const { part } = path
  const view = await orAbsent(caller, part, loadOrCreate(ctx, caller, path))
  assertMayPush(view, part)
  return { caller, view, part }
}

/** Throws when the push is allowed no longer, whatever the repository is called by now. */
export async function readmitPush(
  ctx: Context,
  request: FastifyRequest,
  { view: { repo }, part }: AdmittedPush,
): Promise<void> {
  const caller = await identifyPusher(ctx, request)
  assertMayPush(await loadVisibleById(ctx, caller, repo.id), part)
}

/** Git sends a password at once or not at all, so a second factor cannot come with it. */
async function identify(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const query = new Query(request.query)
  const caller = await authenticate(ctx, {
    authorization: request.headers.authorization,
    queryToken: query.text('token') || query.text('access_token') || undefined,
    oneTimeCode: undefined,
    address: request.ip,
  }).catch((error: unknown) => {
    throw withHint(error)
  })
  if (caller.account) assertUsable(ctx, caller.account)
  request.caller = caller
  return caller
}

async function identifyPusher(ctx: Context, request: FastifyRequest): Promise<SignedInCaller> {
  const caller = await identify(ctx, request)
  if (!caller.account) throw signInFirst()
  assertHolds(caller, ['repository'], 'write')
  return caller as SignedInCaller
}

/** To everybody alike: whether an account has a second factor is nobody's business. */
function withHint(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unauthenticated') return error
  const hint = 'With two-factor authentication, use an access token in place of the password.'
  return new AppError('unauthenticated', `${refused().message}\n${hint}`, { cause: error })
}

/** What is not there and what the caller may not see look alike. */
async function orAbsent(
  { account }: Caller,
  part: Part,
  load: Promise<RepositoryView>,
): Promise<RepositoryView> {
  try {
    const view = await load
    if (!isThere(view, part)) throw notFound()
    return view
  } catch (error) {
    if (!isNotFound(error)) throw error
    throw account ? notFound('Repository not found') : signInFirst()
  }
}

function signInFirst(): AppError {
  return new AppError('unauthenticated', 'Sign in with a name and a password or an access token.')
}

export function pathOf({ params }: FastifyRequest): PartPath {
  const { owner = '', repo = '' } = params as Record<string, string>
  return readPartPath(owner, repo)
}
