import { changeOwnPassword } from '../auth/change-own-password.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { readForm } from '../http/body.ts'
import { sendPage, type Site } from './layout.ts'
import { isFromHereOrNoBrowser } from './origin.ts'
import {
  changePasswordPage,
  changeProblem,
  passwordChangedPage,
  readPasswordChange,
} from './pages/change-password.ts'
import { blockedPage } from './pages/setup.ts'
import { viewerOf } from './viewer.ts'
import type { PageServer } from './page-server.ts'

const MAX_FORM_BYTES = 65_536
const PATH = '/user/change_password'

/** Where the API sends those who must change their password before they call. */
export function changePasswordRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx

  server.get(PATH, async (request, reply) => {
    const { account } = await viewerOf(ctx, request)
    return sendPage(reply, site, changePasswordPage(config, { name: account?.name }))
  })

  server.post(PATH, async (request, reply) => {
    if (!isFromHereOrNoBrowser(config, request.headers)) {
      return sendPage(reply, site, blockedPage(config), 403)
    }
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    try {
      await changeOwnPassword(ctx, readPasswordChange(form), {
        address: request.ip,
        oneTimeCode: form.get('one_time_code') || undefined,
      })
      return sendPage(reply, site, passwordChangedPage(config))
    } catch (error) {
      if (!(error instanceof AppError) || error.retryAfter !== undefined) throw error
      const name = form.get('user_name') ?? undefined
      const state = { name, problem: changeProblem(error) }
      return sendPage(reply, site, changePasswordPage(config, state), 422)
    }
  })
}
