import type { Context } from '../../platform/context.ts'
import type { PageOf } from '../../platform/db/page.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { enterTeam } from '../../identity/organizations/access.ts'
import { loadOrganization } from '../../identity/organizations/load.ts'
import { canSeeMembers } from '../../identity/organizations/policy.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import { isHidden } from './actors.ts'
import { accountFilter, listAccountFeed, listRepositoryFeed, placesOf } from './feed.ts'
import { presentActivity, type Place } from './present.ts'
import { countByQuarter, listFeed, type Activity, type FeedFilter } from './queries.ts'
import {
  orgListActivityFeeds,
  orgListTeamActivityFeeds,
  repoListActivityFeeds,
  userGetHeatmapData,
  userListActivityFeeds,
} from './schema.ts'

const DAY_SECONDS = 86_400
const HEATMAP_DAYS = 366

export function feedRoutes(api: Api, ctx: Context): void {
  api.get('/repos/:owner/:repo/activities/feeds', repoListActivityFeeds, async (call) => {
    const { caller } = call
    const view = await loadOfPath(ctx, call)
    const found = await listRepositoryFeed(ctx, caller, view, dayOf(call), call.page)
    const place = presentPlace(ctx, view)
    const links = { links: false }
    return call.list(found, (activity) => presentActivity(ctx, caller, activity, place), links)
  })

  api.get('/users/:username/activities/feeds', userListActivityFeeds, async (call) => {
    const account = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    return answerFeed(
      ctx,
      call,
      await listAccountFeed(ctx, call.caller, account, dayOf(call), call.page),
    )
  })

  api.get('/orgs/:org/activities/feeds', orgListActivityFeeds, async (call) => {
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    return answerFeed(
      ctx,
      call,
      await listAccountFeed(ctx, call.caller, org, dayOf(call), call.page),
    )
  })

  api.get('/teams/:id/activities/feeds', orgListTeamActivityFeeds, async (call) => {
    const { caller, org, team, standing } = await enterTeam(ctx, call)
    const withPrivate = canSeeMembers(caller, standing)
    const filter = { ...accountFilter(ctx, caller, org, withPrivate), day: dayOf(call) }
    const teamId = team.includesAllRepositories ? undefined : team.id
    return answerFeed(ctx, call, await listFeed(ctx.db, { ...filter, teamId }, call.page))
  })

  api.get('/users/:username/heatmap', userGetHeatmapData, async (call) => {
    const account = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    if (isHidden(call.caller, account)) return ok([])
    const now = ctx.now()
    const day = { from: now - HEATMAP_DAYS * DAY_SECONDS, to: now + 1 }
    const quarters = await countByQuarter(ctx.db, {
      ...accountFilter(ctx, call.caller, account, true),
      day,
    })
    return ok(quarters.map(({ at, count }) => ({ timestamp: at, contributions: count })))
  })
}

async function answerFeed(ctx: Context, call: Call, found: PageOf<Activity>) {
  const { caller } = call
  const views = await placesOf(ctx, caller, found.items)
  const places = new Map([...views].map(([id, view]) => [id, presentPlace(ctx, view)]))
  const body = found.items.flatMap((activity) => {
    const place = places.get(activity.repositoryId)
    return place ? presentActivity(ctx, caller, activity, place) : []
  })
  return call.listOf(found, body, { links: false })
}

/** Shown with each activity there: it is made and written once. */
function presentPlace({ config }: Context, view: RepositoryView): Place {
  return { view, repo: Object.freeze(presentRepository(config, view)) }
}

function dayOf({ query }: Call): FeedFilter['day'] {
  return readDay(query.text('date') ?? '')
}

/** A day of UTC; any other text is no filter. */
export function readDay(text: string): FeedFilter['day'] {
  const from = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN
  const isReal = !Number.isNaN(from) && formatTime(from).startsWith(text)
  return isReal ? { from, to: from + DAY_SECONDS } : undefined
}
