import { basePath } from '../config/urls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Site } from './layout.ts'
import { pageOf } from './look.ts'
import { explorePage } from './pages/explore.ts'
import { searchPage } from './repository-search.ts'
import type { PageServer } from './page-server.ts'

/** Where repositories are found. */
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
}
