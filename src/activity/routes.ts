import { sql } from 'kysely'
import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import { presentAddresses } from '../comments/present.ts'
import type { Api } from '../http/api.ts'
import { presentRepository } from '../repositories/present.ts'
import { loadOfPath } from '../repositories/routes.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { formatTime } from '../time.ts'
import { presentUser } from '../users/present.ts'
import { listFeed, type ActivityComment, type ActorCondition, type FeedFilter } from './queries.ts'
import { repoListActivityFeeds } from './schema.ts'
import { hiddenKinds } from './units.ts'

const DAY_SECONDS = 86_400

export function feedRoutes(api: Api, ctx: Context): void {
  api.get('/repos/:owner/:repo/activities/feeds', repoListActivityFeeds, async (call) => {
    const { caller } = call
    const view = await loadOfPath(ctx, call)
    const filter: FeedFilter = {
      repositoryId: view.repo.id,
      day: readDay(call.query.text('date') ?? ''),
      onlyPublic: caller.publicOnly,
      hiddenKinds: hiddenKinds(view),
      readable: isReadableActor(caller),
    }
    const repo = presentRepository(ctx.config, view)
    const found = await listFeed(ctx.db, filter, call.page)
    const links = { links: false }
    return call.list(
      found,
      (activity) => ({
        id: activity.id,
        user_id: activity.account.id,
        op_type: activity.kind,
        act_user_id: activity.account.id,
        act_user: presentUser(ctx.config, caller, activity.account),
        repo_id: view.repo.id,
        repo,
        comment_id: activity.comment?.id ?? 0,
        comment: activity.comment ? presentSaid(ctx, view, activity.comment) : null,
        ref_name: activity.refName,
        is_private: activity.isPrivate,
        content: activity.content,
        created: formatTime(activity.createdAt),
      }),
      links,
    )
  })
}

/** Whose it is stands beside it. */
function presentSaid({ config }: Context, view: RepositoryView, comment: ActivityComment) {
  return {
    id: comment.id,
    ...presentAddresses(config, view, comment.issue, comment.id),
    user: null,
    original_author: '',
    original_author_id: 0,
    body: comment.body,
    assets: [],
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
  }
}

/** A day of UTC; any other text is no filter. */
export function readDay(text: string): FeedFilter['day'] {
  const from = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN
  const isReal = !Number.isNaN(from) && formatTime(from).startsWith(text)
  return isReal ? { from, to: from + DAY_SECONDS } : undefined
}

/** Somebody who hides their activity shows it to themselves and administrators only. */
function isReadableActor(caller: Caller): ActorCondition {
  if (isSiteAdmin(caller)) return () => sql<boolean>`1 = 1`
  const visible = caller.account ? (['public', 'limited'] as const) : (['public'] as const)
  return (eb) =>
    eb.or([
      eb('account.id', '=', caller.account?.id ?? 0),
      eb.and([eb('account.visibility', 'in', visible), eb('account.hide_activity', '=', 0)]),
    ])
}
