import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { exploreOrganizations } from '../identity/organizations/explore.ts'
import { assertMayExplore, explorePeople } from '../identity/users/explore.ts'
import type { Site } from './layout.ts'
import { pageOf } from './look.ts'
import { accountsPage } from './pages/explore-accounts.ts'
import { explorePage } from './pages/explore.ts'
import { searchPage } from './repository-search.ts'
import type { PageServer } from './page-server.ts'

/** Where repositories are found, and whom they belong to. */
export function exploreRoutes(server: PageServer, ctx: Context, site: Site): void {
  server.get('/explore', async (_request, reply) =>
    reply.redirect(`${basePath(ctx.config)}/explore/repos`, 303),
  )

  const repositories = pageOf(ctx, site, async (look) => {
    assertMayExplore(ctx, look.viewer)
    return explorePage(look, await searchPage(look))
  })
  server.get('/explore/repos', repositories)

  const people = pageOf(ctx, site, (look) => accountsPage(look, 'users', explorePeople))
  server.get('/explore/users', people)

  const organizations = pageOf(ctx, site, (look) =>
    accountsPage(look, 'organizations', exploreOrganizations),
  )
  server.get('/explore/organizations', organizations)
}
