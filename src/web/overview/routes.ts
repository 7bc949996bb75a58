import type { Context } from '../../platform/context.ts'
import { listMatching } from '../../collaboration/issues/list.ts'
import { wantedEverywhere } from '../../collaboration/issues/search.ts'
import type { Site } from '../layout.ts'
import { ownPageOf } from '../look.ts'
import type { PageServer } from '../page-server.ts'
import { pageOf as pageIn } from '../repository/page-number.ts'
import { issues, pulls, questionOf, readAsked } from './asked.ts'
import { overviewPage } from './page.ts'

const PER_PAGE = 30

/** What concerns somebody, in all repositories that they may read. */
export function overviewPages(server: PageServer, ctx: Context, site: Site): void {
  for (const kind of [issues, pulls]) {
    const show = ownPageOf(ctx, site, async (look) => {
      const asked = readAsked(kind, look.query)
      const wanted = await wantedEverywhere(ctx, look.viewer, questionOf(kind, asked))
      const page = pageIn(look.query, PER_PAGE)
      return overviewPage(look, {
        kind,
        asked,
        page,
        found: await listMatching(ctx, wanted, page),
      })
    })
    server.get(`/${kind.path}`, show)
  }
}
