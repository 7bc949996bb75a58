import { placesOf } from '../outbound/activity/feed.ts'
import type { Activity } from '../outbound/activity/queries.ts'
import { html, type Html } from '../platform/html.ts'
import type { Look } from './look.ts'
import { loadFeedReferences, renderActivity } from './repository/activity-line.ts'
import { homeOf } from './repository/visit.ts'

/** What happened in any repositories, a line each; `none` where nothing did. */
export async function renderFeed(
  { ctx, viewer }: Pick<Look, 'ctx' | 'viewer'>,
  activities: readonly Activity[],
  none: Html,
): Promise<Html> {
  const places = await placesOf(ctx, viewer, activities)
  const lines = activities.flatMap((activity) => {
    const view = places.get(activity.repositoryId)
    return view ? [{ activity, view }] : []
  })
  if (lines.length === 0) return none
  const referIn = await loadFeedReferences(ctx, viewer, lines)
  const items = lines.map(({ activity, view }) => {
    const home = homeOf(ctx, view)
    const where = html` · <a href="${home}">${view.owner.name}/${view.repo.name}</a>`
    return renderActivity({ ctx, home, refer: referIn(view) }, activity, where)
  })
  return html`<ul class="entries feed">${items}</ul>`
}
