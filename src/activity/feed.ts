import type { Caller, Context } from '../context.ts'
import type { Page, PageOf } from '../db/page.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { actorsFor } from './actors.ts'
import { listFeed, type Activity, type FeedFilter } from './queries.ts'
import { isReadableIn } from './units.ts'

/** What happened in a repository, as far as the caller may know. Newest first. */
export async function listRepositoryFeed(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  day: FeedFilter['day'],
  page: Page,
): Promise<PageOf<Activity>> {
  const filter: FeedFilter = {
    of: { column: 'repository_id', id: view.repo.id },
    day,
    onlyPublic: caller.publicOnly,
    actors: actorsFor(caller),
    fits: isReadableIn(view),
  }
  return listFeed(ctx.db, filter, page)
}
