import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressForLog, logFailedSignIn } from '../platform/audit.ts'
import {
  checkSignIn,
  HALF_SIGN_IN_SECONDS,
  startHalfSignIn,
  type Checked,
} from '../identity/auth/half-sign-ins.ts'
import { askForPasskey, findByPasskey } from '../identity/auth/security-keys/passkey.ts'
import { endSession, startSession } from '../identity/auth/sessions.ts'
import type { Config } from '../platform/config/config.ts'
import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { readForm } from '../platform/http/body.ts'
import { Query } from '../platform/http/query.ts'
import { usesOpenId } from '../identity/openid-connect/provider.ts'
import type { Account } from '../identity/users/account.ts'
import { awaitsConfirmation } from '../identity/users/confirm.ts'
import { siteBehind } from './authorize.ts'
import { sendPage, type Site } from './layout.ts'
import { localPath } from './local-path.ts'
import { mustWait } from './must-wait.ts'
import { openIdPath, signInPage } from './pages/sign-in.ts'
import {
  clearSessionCookie,
  sessionSecretOf,
  setHalfSignInCookie,
  setSessionCookie,
} from '../identity/callers/cookies.ts'
import { readPasskeyAnswer } from './forms/second-factor.ts'
import { viewerOf } from '../identity/callers/viewer.ts'
import type { PageServer } from './page-server.ts'

const MAX_FORM_BYTES = 65_536
const REFUSED = 'Name, password and one-time code do not fit together.'
const PASSKEY_REFUSED = 'This passkey does not sign anybody in here.'

export function signInRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx

  server.get('/user/login', async (request, reply) => {
    const query = new Query(request.query)
    const redirectTo = localPath(config, query.text('redirect_to'))
    const { account } = await viewerOf(ctx, request)
    if (account) return reply.redirect(redirectTo, 303)
    const isLed = usesOpenId(ctx) && config.openid.at_once && query.text('with') !== 'password'
    if (isLed) return reply.redirect(openIdPath(config, redirectTo), 303)
    const leadsOutTo = await siteBehind(ctx, redirectTo)
    return sendPage(reply, site, signInPage(config, { redirectTo, leadsOutTo }))
  })

  server.postAlsoByPrograms('/user/login', async (request, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    return signIn(ctx, site, request, reply, { form, refusal: REFUSED, check: checkPassword })
  })

  server.post('/user/login/passkey', async (request, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    const attempt = { form, refusal: PASSKEY_REFUSED, check: checkPasskey }
    return signIn(ctx, site, request, reply, attempt)
  })

  server.post('/user/login/passkey/question', async (_request, reply) => {
    return reply.send(askForPasskey(ctx))
  })

  server.post('/user/logout', async (request, reply) => {
    await endOwnSession(ctx, request)
    clearSessionCookie(config, reply)
    return reply.redirect(`${basePath(config)}/`, 303)
  })
}

/** Finds out by what was sent who it is. */
type Check = (ctx: Context, form: URLSearchParams, address: string) => Promise<Checked | undefined>

const checkPassword: Check = async (ctx, form, address) => {
  const basic = { name: form.get('user_name') ?? '', password: form.get('password') ?? '' }
  const oneTimeCode = form.get('one_time_code') || undefined
  return checkSignIn(ctx, basic, { address, oneTimeCode })
}

const checkPasskey: Check = async (ctx, form, address) => {
  const account = await findByPasskey(ctx, readPasskeyAnswer(form), address)
  return account && { account, isWhole: true }
}

interface Attempt {
  readonly form: URLSearchParams
  readonly check: Check
  /** What is told to whom it does not let in. */
  readonly refusal: string
}

async function signIn(
  ctx: Context,
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, check, refusal }: Attempt,
): Promise<FastifyReply> {
  const name = form.get('user_name') ?? ''
  const redirectTo = localPath(ctx.config, form.get('redirect_to'))
  const leadsOutTo = await siteBehind(ctx, redirectTo)
  const refuse = (problem: string, status: number) =>
    sendPage(reply, site, signInPage(ctx.config, { redirectTo, name, problem, leadsOutTo }), status)
  try {
    const checked = await check(ctx, form, request.ip)
    const path = checked && (await letIn(ctx, request, reply, checked, redirectTo))
    return path === undefined ? refuse(refusal, 422) : reply.redirect(path, 303)
  } catch (error) {
    const waiting = mustWait(reply, error)
    if (!waiting) throw error
    return refuse(waiting.message, waiting.status)
  }
}

/** Where to go on: signed in, or to what is still to be done. Nowhere for who may not come in. */
export async function letIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, isWhole }: Checked,
  redirectTo: string,
): Promise<string | undefined> {
  const root = basePath(ctx.config)
  if (await awaitsConfirmation(ctx, account)) return `${root}/user/activate`
  if (!account.isActive) {
    const reason = 'may not sign in'
    logFailedSignIn(ctx.log, { name: account.name, by: 'password', reason })
    return undefined
  }
  if (!isWhole) await openHalfSignIn(ctx, reply, account)
  if (account.mustChangePassword) return `${root}/user/change_password`
  if (!isWhole) return secondStepPath(ctx.config, redirectTo)
  return (await openSession(ctx, request, reply, account)) ? redirectTo : undefined
}

async function openHalfSignIn(ctx: Context, reply: FastifyReply, account: Account): Promise<void> {
  const secret = await startHalfSignIn(ctx, account)
  setHalfSignInCookie(ctx.config, reply, secret, HALF_SIGN_IN_SECONDS)
}

function secondStepPath(config: Config, redirectTo: string): string {
  const query = new URLSearchParams({ redirect_to: redirectTo })
  return `${basePath(config)}/user/login/second-factor?${query.toString()}`
}

/** A new secret, whatever the browser came with. */
export async function openSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
): Promise<boolean> {
  const secret = await startSession(ctx, account, request.headers['user-agent'] ?? '')
  if (secret === undefined) return false
  await endOwnSession(ctx, request)
  setSessionCookie(ctx.config, reply, secret)
  const address = addressForLog(request.ip)
  ctx.log.info({ account: account.name, address, reqId: request.id }, 'signed in')
  return true
}

async function endOwnSession(ctx: Context, request: FastifyRequest): Promise<void> {
  const secret = sessionSecretOf(ctx.config, request)
  if (secret !== undefined) await endSession(ctx, secret)
}
