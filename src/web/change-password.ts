import type { FastifyRequest } from 'fastify'
import { changeOwnPassword } from '../identity/auth/change-own-password.ts'
import { holderOf, type Holder } from '../identity/auth/security-keys/challenges.ts'
import { anonymous, type Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { readForm } from '../platform/http/body.ts'
import { signedIn } from '../platform/http/call.ts'
import { traceBy } from '../platform/http/trace.ts'
import type { Account } from '../identity/users/account.ts'
import { keyQuestionPath } from './account/confirm.ts'
import { readKeyAnswer } from './forms/second-factor.ts'
import { sendPage, type Site } from './layout.ts'
import {
  changePasswordPage,
  changeProblem,
  passwordChangedPage,
  readPasswordChange,
} from './pages/change-password.ts'
import { halfQuestionPath, halfSignInOf, holderOfHalf } from './second-step.ts'
import { viewerOfPage } from './viewer.ts'
import type { PageServer } from './page-server.ts'

const MAX_FORM_BYTES = 65_536
const PATH = '/user/change_password'

/** Where the API sends those who must change their password before they call. */
export function changePasswordRoutes(server: PageServer, ctx: Context, site: Site): void {
  const { config } = ctx

  server.get(PATH, async (request, reply) => {
    const asked = await askedOf(ctx, request)
    const state = { name: asked?.account.name, question: asked?.question }
    return sendPage(reply, site, changePasswordPage(config, state))
  })

  server.postAlsoByPrograms(PATH, async (request, reply) => {
    const form = await readForm(request.raw, MAX_FORM_BYTES)
    const asked = await askedOf(ctx, request)
    try {
      const second = {
        address: request.ip,
        oneTimeCode: form.get('one_time_code') || undefined,
        keyAnswer: asked && readKeyAnswer(form, asked.holder),
      }
      const trace = traceBy(request, { actor: '', by: 'the old password' })
      await changeOwnPassword(ctx, readPasswordChange(form), second, trace)
      // All sessions have ended with the old one.
      request.caller = anonymous
      return sendPage(reply, site, passwordChangedPage(config))
    } catch (error) {
      if (!(error instanceof AppError) || error.retryAfter !== undefined) throw error
      const name = form.get('user_name') ?? undefined
      const state = { name, problem: changeProblem(error), question: asked?.question }
      return sendPage(reply, site, changePasswordPage(config, state), 422)
    }
  })
}

interface Asked {
  readonly account: Account
  /** Whose browser it is, for what a security key is asked there. */
  readonly holder: Holder
  /** Where that is to be had; nowhere without a key. */
  readonly question: string | undefined
}

/** Who is signed in, or half so: those who must change their password come no further. */
async function askedOf(ctx: Context, request: FastifyRequest): Promise<Asked | undefined> {
  const viewer = await viewerOfPage(ctx, request)
  if (viewer.account) {
    const caller = signedIn(viewer)
    return askedFor(caller.account, holderOf(caller), keyQuestionPath({ ctx }))
  }
  const half = await halfSignInOf(ctx, request)
  return half && askedFor(half.account, holderOfHalf(half), halfQuestionPath(ctx))
}

function askedFor(account: Account, holder: Holder, question: string): Asked {
  return { account, holder, question: account.securityKeys > 0 ? question : undefined }
}
