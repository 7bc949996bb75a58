import type { FastifyRequest } from 'fastify'
import { authenticate } from '../auth/authenticate.ts'
import type { Caller, Context, SignedInCaller } from '../context.ts'
import { AppError, forbidden, notFound } from '../errors.ts'
import type { Service } from '../git/serve.ts'
import { assertMayPush, canFetch } from '../pushes/access.ts'
import { loadOrCreate } from '../pushes/create-by-push.ts'
import { loadVisible, loadVisibleById, type RepositoryPath } from '../repositories/load.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { assertHolds, assertUsable } from './caller.ts'
import { Query } from './query.ts'

export interface Admitted {
  readonly caller: Caller
  readonly view: RepositoryView
}

export interface AdmittedPush extends Admitted {
  readonly caller: SignedInCaller
}

/** Who asks, and the repository as they see it: 401 asks git for a name and a password, or for other ones. */
export async function admit(
  ctx: Context,
  request: FastifyRequest,
  service: Service,
): Promise<Admitted> {
  return service === 'git-upload-pack' ? admitFetch(ctx, request) : admitPush(ctx, request)
}

export async function admitFetch(ctx: Context, request: FastifyRequest): Promise<Admitted> {
  const caller = await identify(ctx, request)
  assertHolds(caller, ['repository'], 'read')
  if (!caller.account && ctx.config.security.require_sign_in === 'true') throw signInFirst()
  const view = await loadVisible(ctx, caller, pathOf(request)).catch((error: unknown) => {
    throw absent(caller, error)
  })
  if (canFetch(view)) return { caller, view }
  throw caller.account ? forbidden('You may not read the code of this repository.') : signInFirst()
}

export async function admitPush(ctx: Context, request: FastifyRequest): Promise<AdmittedPush> {
  const caller = await identifyPusher(ctx, request)
  const view = await loadOrCreate(ctx, caller, pathOf(request)).catch((error: unknown) => {
    throw absent(caller, error)
  })
  assertMayPush(view)
  return { caller, view }
}

/** The same at a later time, whatever the repository is called by then. */
export async function readmitPush(
  ctx: Context,
  request: FastifyRequest,
  { view: { repo } }: AdmittedPush,
): Promise<void> {
  const caller = await identifyPusher(ctx, request)
  assertMayPush(await loadVisibleById(ctx, caller, repo.id))
}

/** Git sends a password at once or not at all, so a second factor cannot come with it. */
async function identify(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const query = new Query(request.query)
  const caller = await authenticate(ctx, {
    authorization: request.headers.authorization,
    queryToken: query.text('token') ?? query.text('access_token'),
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
  return new AppError('unauthenticated', `${error.message}\n${hint}`, { cause: error })
}

/** What is not there and what the caller may not see look alike. */
function absent({ account }: Caller, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'not_found') return error
  return account ? notFound('Repository not found') : signInFirst()
}

function signInFirst(): AppError {
  return new AppError('unauthenticated', 'Sign in with a name and a password or an access token.')
}

export function pathOf({ params }: FastifyRequest): RepositoryPath {
  const { owner = '', repo = '' } = params as Record<string, string>
  return { owner, repo: repo.replace(/\.git$/, '') }
}
