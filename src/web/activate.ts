import type { FastifyReply } from 'fastify'
import type { Context } from '../platform/context.ts'
import { isNotFound } from '../platform/errors.ts'
import { readForm } from '../platform/http/body.ts'
import { Query } from '../platform/http/query.ts'
import { askForConfirmation, confirmAddress, openConfirmation } from '../identity/users/confirm.ts'
import { problemOf } from './forms/problem.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { mustWait } from './must-wait.ts'
import type { PageServer } from './page-server.ts'
import {
  awaitMailPage,
  confirmationOverPage,
  confirmedPage,
  confirmPage,
  mailedAgainPage,
} from './pages/activate.ts'
import { secretAddress } from './secret-address.ts'
import { viewerOfPage } from './viewer.ts'

const MAX_FORM_BYTES = 65_536
const PATH = '/user/activate'

/** Where people show that an address is theirs. */
export function activateRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx
  const send = (reply: FastifyReply, page: Page, status?: number) =>
    sendPage(reply.headers(secretAddress), site, page, status)

  server.get(PATH, async (request, reply) => {
    await viewerOfPage(ctx, request)
    const code = new Query(request.query).text('code')
    if (code === undefined) {
      return sendPage(reply, site, awaitMailPage(config, { form: new URLSearchParams() }))
    }
    const found = await openConfirmation(ctx, code)
    if (!found) return send(reply, confirmationOverPage(config), 404)
    const { address, account } = found
    return send(reply, confirmPage(config, { code, address, name: account.name }))
  })

  server.post(PATH, async (request, reply) => {
    await viewerOfPage(ctx, request)
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    try {
      const account = await confirmAddress(ctx, form.get('code') ?? '')
      ctx.log.info({ account: account.name, address: request.ip }, 'address confirmed')
      return send(reply, confirmedPage(config))
    } catch (error) {
      if (!isNotFound(error)) throw error
      return send(reply, confirmationOverPage(config), 404)
    }
  })

  server.post(`${PATH}/resend`, async (request, reply) => {
    await viewerOfPage(ctx, request)
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    try {
      await askForConfirmation(ctx, form.get('email') ?? '', { address: request.ip })
      return sendPage(reply, site, mailedAgainPage())
    } catch (error) {
      const waiting = mustWait(reply, error)
      const problem = waiting ? { message: waiting.message } : problemOf(error)
      return sendPage(reply, site, awaitMailPage(config, { form, problem }), waiting?.status ?? 422)
    }
  })
}
