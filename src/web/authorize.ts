import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import {
  agree,
  hasAgreed,
  readWish,
  refuse,
  type Wish,
} from '../identity/oauth2-server/authorize.ts'
import { OAuthError } from '../identity/oauth2-server/error.ts'
import { signedIn } from '../platform/http/call.ts'
import { findById } from '../identity/users/load.ts'
import type { Site } from './layout.ts'
import { formOf, pageOf, type Look, type Shown, type Submitted } from './look.ts'
import { consentPage } from './pages/consent.ts'
import type { PageServer } from './page-server.ts'

const PATH = '/login/oauth/authorize'

/** Where other programs send people who are to let them act for them. */
export function authorizeRoutes(server: PageServer, ctx: Context, site: Site): void {
  server.get(PATH, pageOf(ctx, site, ask))
  server.post(PATH, formOf(ctx, site, decide))
}

/** Nobody is asked for what cannot be given, nor a second time for the same. */
async function ask(look: Look): Promise<Shown> {
  const { ctx } = look
  const asked = parametersOf(look.request.url)
  const wish = await readWish(ctx, asked)
  if (wish.problem) return { leadsTo: refuse(wish, wish.problem) }
  const { account } = signedIn(look.viewer)
  if (await hasAgreed(ctx, account, wish)) return { leadsTo: await agree(ctx, account, wish) }
  const { ownerId } = wish.client
  const owner = ownerId === undefined ? undefined : await findById(ctx, ownerId)
  const site = siteOf(wish.redirectUri)
  return consentPage(ctx.config, { wish, asked, account, owner, site, action: PATH })
}

async function decide({ ctx, viewer, form }: Submitted): Promise<Shown> {
  const wish = await readWish(ctx, form)
  if (wish.problem) return { leadsTo: refuse(wish, wish.problem) }
  if (form.get('decision') !== 'agree') {
    return { leadsTo: refuse(wish, new OAuthError('access_denied', 'The user did not agree.')) }
  }
  return { leadsTo: await agree(ctx, viewer.account, wish) }
}

/**
 * The site to which a path of ours leads on, when it is one of this page: browsers want to know
 * before.
 */
export async function siteBehind(ctx: Context, path: string): Promise<string | undefined> {
  const start = `${basePath(ctx.config)}${PATH}?`
  if (!ctx.config.oauth2.enabled || !path.startsWith(start)) return undefined
  const wish = await readWish(ctx, parametersOf(path)).catch((error: unknown): Wish | undefined => {
    if (error instanceof AppError) return undefined
    throw error
  })
  return wish && siteOf(wish.redirectUri)
}

function parametersOf(path: string): URLSearchParams {
  const at = path.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : path.slice(at))
}

/** Of an installed program, the scheme that it is called by. */
function siteOf(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return /^https?:$/.test(protocol) ? origin : protocol
}
