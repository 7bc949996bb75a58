import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { readForm } from '../platform/http/body.ts'
import { signUp } from '../identity/users/create-first.ts'
import { sendPage, type Site } from './layout.ts'
import { readSetupForm, setupProblem } from './pages/setup-form.ts'
import { readNames, signUpPage, underClientName } from './pages/sign-up.ts'
import { openSession } from './sign-in.ts'
import type { PageServer } from './page-server.ts'
import { viewerOf } from '../identity/callers/viewer.ts'

const MAX_FORM_BYTES = 65_536

/**
 * Accounts that people make for themselves. A refused form comes back with 200: clients tell by the
 * redirect.
 */
export function signUpRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx

  server.get('/user/sign_up', async (request, reply) => {
    const { account } = await viewerOf(ctx, request)
    if (account) return reply.redirect(`${basePath(config)}/`, 303)
    return sendPage(reply, site, signUpPage(config, { form: new URLSearchParams() }))
  })

  server.postAlsoByPrograms('/user/sign_up', async (request, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    try {
      const account = await signUp(ctx, readSetupForm(readNames(form)))
      ctx.log.info({ account: account.name, address: request.ip }, 'signed up')
      if (!account.isActive) return reply.redirect(`${basePath(config)}/user/activate`, 303)
      await openSession(ctx, request, reply, account)
      return reply.redirect(`${basePath(config)}/`, 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const problem = underClientName(setupProblem(error))
      return sendPage(reply, site, signUpPage(config, { form, problem }))
    }
  })
}
