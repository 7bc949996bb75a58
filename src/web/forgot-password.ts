import type { FastifyReply, FastifyRequest } from 'fastify'
import { askForReset, openReset, resetPassword } from '../identity/auth/reset-password.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { readForm } from '../platform/http/body.ts'
import { Query } from '../platform/http/query.ts'
import { traceBy } from '../platform/http/trace.ts'
import { hasSecondFactor } from '../identity/users/account.ts'
import { problemOf, type FormProblem } from './forms/problem.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { mustWait } from './must-wait.ts'
import type { PageServer } from './page-server.ts'
import { passwordChangedPage } from './pages/change-password.ts'
import {
  askAdministratorPage,
  forgotPasswordPage,
  linkOverPage,
  readNewPassword,
  recoverAccountPage,
  resetAskedPage,
  resetProblem,
} from './pages/forgot-password.ts'
import { secretAddress } from './secret-address.ts'
import { viewerOfPage } from './viewer.ts'

const MAX_FORM_BYTES = 65_536

/** For those who have forgotten their password and still read their mail. */
export function forgotPasswordRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx

  server.get('/user/forgot_password', async (request, reply) => {
    await viewerOfPage(ctx, request)
    if (!ctx.mailer.isSetUp) return sendPage(reply, site, askAdministratorPage())
    return sendPage(reply, site, forgotPasswordPage(config, { form: new URLSearchParams() }))
  })

  server.post('/user/forgot_password', async (request, reply) => {
    await viewerOfPage(ctx, request)
    if (!ctx.mailer.isSetUp) return sendPage(reply, site, askAdministratorPage(), 403)
    return ask(ctx, site, request, reply)
  })

  const recovery = (reply: FastifyReply, page: Page, status?: number) =>
    sendPage(reply.headers(secretAddress), site, page, status)

  server.get('/user/recover_account', async (request, reply) => {
    await viewerOfPage(ctx, request)
    const code = new Query(request.query).text('code') ?? ''
    return recovery(reply, ...(await recoveryPage(ctx, code)))
  })

  server.post('/user/recover_account', async (request, reply) => {
    await viewerOfPage(ctx, request)
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    try {
      const presented = { address: request.ip, oneTimeCode: form.get('one_time_code') || undefined }
      const trace = traceBy(request, { actor: '', by: 'a link that was mailed to you' })
      await resetPassword(ctx, readNewPassword(form), presented, trace)
      // With the old one, all sessions of the account have ended.
      await viewerOfPage(ctx, request)
      return recovery(reply, passwordChangedPage(config))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const waiting = mustWait(reply, error)
      const problem = waiting ? { message: waiting.message } : resetProblem(error)
      const refused = { problem, status: waiting?.status ?? 422 }
      return recovery(reply, ...(await recoveryPage(ctx, form.get('code') ?? '', refused)))
    }
  })
}

async function ask(
  ctx: Context,
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = await readForm(request.raw, MAX_FORM_BYTES)
  const addresses = form.getAll('email')
  try {
    // Of several, one could be looked up and another one written to.
    await askForReset(ctx, addresses.length === 1 ? (addresses[0] ?? '') : '', {
      address: request.ip,
    })
    return sendPage(reply, site, resetAskedPage())
  } catch (error) {
    const waiting = mustWait(reply, error)
    const problem = waiting
      ? { message: waiting.message }
      : problemOf(error, { email_invalid: wrongAddress })
    const page = forgotPasswordPage(ctx.config, { form, problem })
    return sendPage(reply, site, page, waiting?.status ?? 422)
  }
}

const wrongAddress: FormProblem = { field: 'email', message: 'This is no e-mail address.' }

/** The form, or that it is too late for it. */
async function recoveryPage(
  ctx: Context,
  code: string,
  refused?: { readonly problem: FormProblem; readonly status: number },
): Promise<[Page, number]> {
  const found = await openReset(ctx, code)
  if (!found) return [linkOverPage(ctx.config), 404]
  const { account } = found
  const state = {
    code,
    name: account.name,
    asksForFactor: hasSecondFactor(account),
    problem: refused?.problem,
  }
  return [recoverAccountPage(ctx.config, state), refused?.status ?? 200]
}
