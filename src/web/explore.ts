import { basePath } from '../config/urls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { loadStanding } from '../organizations/load.ts'
import { listMemberships } from '../organizations/memberships.ts'
import { canAdminister } from '../organizations/policy.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import type { Site } from './layout.ts'
import { pageOf, type Look } from './look.ts'
import { explorePage } from './pages/explore.ts'
import { ownerPage } from './pages/owner.ts'
import { searchPage } from './repository-search.ts'
import type { PageServer } from './page-server.ts'

const MAX_ORGANIZATIONS = 50

/** Where repositories are found: all of them, and those of one owner. */
export function exploreRoutes(server: PageServer, ctx: Context, site: Site): void {
  server.get('/explore', async (_request, reply) =>
    reply.redirect(`${basePath(ctx.config)}/explore/repos`, 303),
  )

  const explore = pageOf(ctx, site, async (look) => {
    if (!look.viewer.account && ctx.config.users.explore_requires_sign_in) {
      throw new AppError('unauthenticated', 'sign in to explore')
    }
    return explorePage(look, await searchPage(look))
  })
  server.get('/explore/repos', explore)

  const owner = pageOf(ctx, site, async (look) => {
    const account = await loadVisibleAccount(ctx, look.viewer, look.param('name'))
    const listed = await searchPage(look, { accountId: account.id, exclusive: true })
    const around = {
      organizations: await organizationsOf(look, account),
      maySetUp: await maySetUp(look, account),
    }
    return ownerPage(look, account, listed, around)
  })
  server.get('/:name', owner)
}

/** One's own account, and organizations that one owns. */
async function maySetUp({ ctx, viewer }: Look, account: Account): Promise<boolean> {
  if (account.kind === 'person') return viewer.account?.id === account.id
  return canAdminister(viewer, await loadStanding(ctx, viewer, account))
}

/** To the anonymous the API tells none. */
async function organizationsOf(
  { ctx, viewer }: Look,
  account: Account,
): Promise<readonly Account[]> {
  if (account.kind !== 'person' || !viewer.account) return []
  const page = { number: 1, limit: MAX_ORGANIZATIONS, offset: 0 }
  return (await listMemberships(ctx, viewer, account, page)).items
}
