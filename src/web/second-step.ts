import type { FastifyReply, FastifyRequest } from 'fastify'
import { finishSignIn, loadHalfSignIn, type HalfSignIn } from '../identity/auth/half-sign-ins.ts'
import { askForKey } from '../identity/auth/security-keys/answer.ts'
import type { Holder } from '../identity/auth/security-keys/challenges.ts'
import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { readForm } from '../platform/http/body.ts'
import { Query } from '../platform/http/query.ts'
import { siteBehind } from './authorize.ts'
import { halfSignInSecretOf, setHalfSignInCookie } from '../identity/callers/cookies.ts'
import { readKeyAnswer } from './forms/second-factor.ts'
import { sendPage, type Site } from './layout.ts'
import { localPath } from './local-path.ts'
import { mustWait } from './must-wait.ts'
import type { PageServer } from './page-server.ts'
import { secondStepPage } from './pages/second-step.ts'
import { openSession } from './sign-in.ts'

const PATH = '/user/login/second-factor'
const MAX_FORM_BYTES = 65_536
const REFUSED = 'That was not right. Try again.'

/**
 * For those whose password was right, or whom an OpenID provider knows, and who have a second
 * factor.
 */
export function secondStepRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx

  server.get(PATH, async (request, reply) => {
    const half = await halfSignInOf(ctx, request)
    const redirectTo = localPath(config, new Query(request.query).text('redirect_to'))
    if (!half || half.account.mustChangePassword) {
      return reply.redirect(otherStepPath(ctx, redirectTo, half), 303)
    }
    const leadsOutTo = await siteBehind(ctx, redirectTo)
    const { account } = half
    return sendPage(reply, site, secondStepPage(config, { account, redirectTo, leadsOutTo }))
  })

  server.post(PATH, async (request, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    return finish(ctx, site, request, reply, form)
  })

  server.post(`${PATH}/question`, async (request, reply) => {
    const half = await halfSignInOf(ctx, request)
    if (!half) throw new AppError('unauthenticated', 'That took too long. Sign in again.')
    return reply.send(await askForKey(ctx, holderOfHalf(half), half.account))
  })
}

export async function halfSignInOf(
  ctx: Context,
  request: FastifyRequest,
): Promise<HalfSignIn | undefined> {
  return loadHalfSignIn(ctx, halfSignInSecretOf(ctx.config, request))
}

export function holderOfHalf({ id }: HalfSignIn): Holder {
  return { kind: 'half-sign-in', id }
}

/** Those who are half signed in and come no further choose a password first; others begin anew. */
function otherStepPath(
  { config }: Context,
  redirectTo: string,
  half: HalfSignIn | undefined,
): string {
  if (half) return `${basePath(config)}/user/change_password`
  const query = new URLSearchParams({ redirect_to: redirectTo })
  return `${basePath(config)}/user/login?${query.toString()}`
}

/** Where the script gets what it asks a security key. */
export function halfQuestionPath({ config }: Context): string {
  return `${basePath(config)}${PATH}/question`
}

async function finish(
  ctx: Context,
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const redirectTo = localPath(ctx.config, form.get('redirect_to'))
  const half = await halfSignInOf(ctx, request)
  if (!half || half.account.mustChangePassword) {
    return reply.redirect(otherStepPath(ctx, redirectTo, half), 303)
  }
  const leadsOutTo = await siteBehind(ctx, redirectTo)
  const refuse = (problem: string, status: number) => {
    const state = { account: half.account, redirectTo, problem, leadsOutTo }
    return sendPage(reply, site, secondStepPage(ctx.config, state), status)
  }
  try {
    const account = await finishSignIn(ctx, half, {
      address: request.ip,
      oneTimeCode: form.get('one_time_code') || undefined,
      keyAnswer: readKeyAnswer(form, holderOfHalf(half)),
    })
    if (!account || !(await openSession(ctx, request, reply, account))) return refuse(REFUSED, 422)
    setHalfSignInCookie(ctx.config, reply, '', 0)
    return reply.redirect(redirectTo, 303)
  } catch (error) {
    const waiting = mustWait(reply, error)
    if (!waiting) throw error
    return refuse(waiting.message, waiting.status)
  }
}
