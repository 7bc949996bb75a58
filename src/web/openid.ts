import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Trace } from '../identity/auth/security-news.ts'
import { logFailedSignIn } from '../platform/audit.ts'
import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { AppError, invalid } from '../platform/errors.ts'
import { Query } from '../platform/http/query.ts'
import { traceBy, traceOf } from '../platform/http/trace.ts'
import { accountFor, linkAccount } from '../identity/openid-connect/accounts.ts'
import {
  askingAddress,
  ATTEMPT_SECONDS,
  loadAttempt,
  newAttempt,
  sealAttempt,
  type Attempt,
} from '../identity/openid-connect/attempt.ts'
import { assertNotRefused, redeemCode, type Identity } from '../identity/openid-connect/identity.ts'
import { loadProvider, usesOpenId } from '../identity/openid-connect/provider.ts'
import { hasSecondFactor } from '../identity/users/account.ts'
import { attemptOf, setAttemptCookie } from '../identity/callers/cookies.ts'
import type { Site } from './layout.ts'
import { localPath } from './local-path.ts'
import type { Handler } from './look.ts'
import type { PageServer } from './page-server.ts'
import { sendRefusal } from './refusal.ts'
import { letIn } from './sign-in.ts'
import { viewerOf } from '../identity/callers/viewer.ts'

/** For who signs in by what another server says of them. */
export function openIdRoutes(server: PageServer, ctx: Context, site: Site): void {
  if (!usesOpenId(ctx)) return

  server.get(
    '/user/openid',
    telling(site, async (request, reply) => {
      const redirectTo = localPath(ctx.config, new Query(request.query).text('redirect_to'))
      const { account } = await viewerOf(ctx, request)
      if (account) return reply.redirect(redirectTo, 303)
      return leadToProvider(ctx, reply, newAttempt(ctx, { redirectTo }))
    }),
  )

  server.get(
    '/user/openid/callback',
    telling(site, async (request, reply) => {
      const query = new Query(request.query)
      const attempt = loadAttempt(ctx, attemptOf(ctx.config, request), query.text('state') ?? '')
      setAttemptCookie(ctx.config, reply, '', 0)
      assertNotRefused(ctx, query.text('error'))
      const provider = await loadProvider(ctx)
      const identity = await redeemCode(ctx, provider, attempt, query.text('code') ?? '')
      const act = attempt.linksTo === undefined ? signIn : link
      return reply.redirect(await act(ctx, request, reply, attempt, identity), 303)
    }),
  )
}

/** The way there, which the browser comes back from within ten minutes. */
export async function leadToProvider(
  ctx: Context,
  reply: FastifyReply,
  attempt: Attempt,
): Promise<FastifyReply> {
  const address = askingAddress(ctx, await loadProvider(ctx), attempt)
  setAttemptCookie(ctx.config, reply, sealAttempt(ctx, attempt), ATTEMPT_SECONDS)
  return reply.redirect(address, 303)
}

/** Gives where to go on. */
type Act = (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: Attempt,
  identity: Identity,
) => Promise<string>

const signIn: Act = async (ctx, request, reply, attempt, identity) => {
  const account = await accountFor(ctx, identity, bySingleSignOn(request))
  ctx.jobs.wake()
  const checked = { account, isWhole: !hasSecondFactor(account) }
  const redirectTo = localPath(ctx.config, attempt.redirectTo)
  if (account.prohibitLogin) {
    logFailedSignIn(ctx.log, { name: account.name, by: 'openid', reason: 'may not sign in' })
  }
  const path = account.prohibitLogin
    ? undefined
    : await letIn(ctx, request, reply, checked, redirectTo)
  if (path === undefined) throw invalid(`${account.name} may not sign in here.`)
  return path
}

function bySingleSignOn(request: FastifyRequest): Trace {
  return traceBy(request, { actor: '', by: 'the e-mail address that single sign-on vouches for' })
}

/** Only for whoever is still signed in as when they asked for it. */
const link: Act = async (ctx, request, _reply, attempt, identity) => {
  const viewer = await viewerOf(ctx, request)
  const { account } = viewer
  if (account?.id !== attempt.linksTo || !account) {
    throw invalid('You are no longer signed in as the account that was to be linked.')
  }
  await linkAccount(ctx, account, identity, traceOf(viewer, request))
  return `${basePath(ctx.config)}/user/settings/openid?saved=yes`
}

/** Also where nothing else is shown to those who are not signed in. */
export function telling(site: Site, answer: Handler): Handler {
  return async (request, reply) => {
    try {
      return await answer(request, reply)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return sendRefusal(request, reply, site, error)
    }
  }
}
