import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import type { PageOf } from '../db/page.ts'
import { ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { enterTeam } from '../organizations/access.ts'
import { loadOrganization, loadStanding } from '../organizations/load.ts'
import { canSeeMembers } from '../organizations/policy.ts'
import { repositoriesById } from '../repositories/load.ts'
import { presentRepository } from '../repositories/present.ts'
import { loadOfPath } from '../repositories/routes.ts'
import { viewRepositories } from '../repositories/view.ts'
import { formatTime } from '../time.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import { actorsFor, isHidden } from './actors.ts'
import { listRepositoryFeed } from './feed.ts'
import { presentActivity } from './present.ts'
import { countByQuarter, listFeed, type Activity, type FeedFilter } from './queries.ts'
import {
  orgListActivityFeeds,
  orgListTeamActivityFeeds,
  repoListActivityFeeds,
  userGetHeatmapData,
  userListActivityFeeds,
} from './schema.ts'
import { isReadableAnywhere } from './units.ts'

const DAY_SECONDS = 86_400
const HEATMAP_DAYS = 366
const none: PageOf<Activity> = { items: [], total: 0 }

export function feedRoutes(api: Api, ctx: Context): void {
  api.get('/repos/:owner/:repo/activities/feeds', repoListActivityFeeds, async (call) => {
    const { caller } = call
    const view = await loadOfPath(ctx, call)
    const day = readDay(call.query.text('date') ?? '')
    const found = await listRepositoryFeed(ctx, caller, view, day, call.page)
    const place = { view, repo: presentRepository(ctx.config, view) }
    const links = { links: false }
    return call.list(found, (activity) => presentActivity(ctx, caller, activity, place), links)
  })

  api.get('/users/:username/activities/feeds', userListActivityFeeds, async (call) => {
    const account = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    return answerFeed(ctx, call, await findFeed(ctx, call, account))
  })

  api.get('/orgs/:org/activities/feeds', orgListActivityFeeds, async (call) => {
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    return answerFeed(ctx, call, await findFeed(ctx, call, org))
  })

  api.get('/teams/:id/activities/feeds', orgListTeamActivityFeeds, async (call) => {
    const { caller, org, team, standing } = await enterTeam(ctx, call)
    const filter = filterOf(ctx, call, org, canSeeMembers(caller, standing))
    const teamId = team.includesAllRepositories ? undefined : team.id
    return answerFeed(ctx, call, await listFeed(ctx.db, { ...filter, teamId }, call.page))
  })

  api.get('/users/:username/heatmap', userGetHeatmapData, async (call) => {
    const account = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    if (isHidden(call.caller, account)) return ok([])
    const now = ctx.now()
    const day = { from: now - HEATMAP_DAYS * DAY_SECONDS, to: now + 1 }
    const quarters = await countByQuarter(ctx.db, { ...filterOf(ctx, call, account, true), day })
    return ok(quarters.map(({ at, count }) => ({ timestamp: at, contributions: count })))
  })
}

/** What somebody did, or what happened in the repositories of an organization. */
async function findFeed(ctx: Context, call: Call, account: Account): Promise<PageOf<Activity>> {
  if (account.kind === 'person' && isHidden(call.caller, account)) return none
  const filter = filterOf(ctx, call, account, await seesPrivate(ctx, call.caller, account))
  return listFeed(ctx.db, filter, call.page)
}

function filterOf(ctx: Context, call: Call, account: Account, withPrivate: boolean): FeedFilter {
  const { caller } = call
  const isPerson = account.kind === 'person'
  const of = { column: isPerson ? 'account_id' : 'owner_id', id: account.id } as const
  return {
    of,
    day: readDay(call.query.text('date') ?? ''),
    onlyPublic: caller.publicOnly || !withPrivate,
    actors: isPerson ? undefined : actorsFor(caller),
    fits: isReadableAnywhere(ctx.config, caller),
  }
}

/** Others do not learn here what is private, also where they could read it. */
async function seesPrivate(ctx: Context, caller: Caller, account: Account): Promise<boolean> {
  if (isSiteAdmin(caller) || caller.account?.id === account.id) return true
  if (account.kind === 'person' || !caller.account) return false
  const standing = await loadStanding(ctx, caller, account)
  return canSeeMembers(caller, standing)
}

async function answerFeed(ctx: Context, call: Call, found: PageOf<Activity>) {
  const { caller } = call
  const ids = found.items.map(({ repositoryId }) => repositoryId)
  const repos = [...(await repositoriesById(ctx.db, ids)).values()]
  const places = new Map(
    (await viewRepositories(ctx, caller, repos)).map((view) => [
      view.repo.id,
      { view, repo: presentRepository(ctx.config, view) },
    ]),
  )
  const body = found.items.flatMap((activity) => {
    const place = places.get(activity.repositoryId)
    return place ? presentActivity(ctx, caller, activity, place) : []
  })
  return call.listOf(found, body, { links: false })
}

/** A day of UTC; any other text is no filter. */
export function readDay(text: string): FeedFilter['day'] {
  const from = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN
  const isReal = !Number.isNaN(from) && formatTime(from).startsWith(text)
  return isReal ? { from, to: from + DAY_SECONDS } : undefined
}
