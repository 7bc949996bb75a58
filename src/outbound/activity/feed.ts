import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { loadStanding } from '../../identity/organizations/load.ts'
import { canSeeMembers } from '../../identity/organizations/policy.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import { viewRepositories, type RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { actorsFor, isHidden } from './actors.ts'
import { listFeed, type Activity, type FeedFilter } from './queries.ts'
import { isReadableAnywhere, isReadableIn } from './units.ts'

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

const none: PageOf<Activity> = { items: [], total: 0 }

/** What somebody did, or what happened in the repositories of an organization. */
export async function listAccountFeed(
  ctx: Context,
  caller: Caller,
  account: Account,
  day: FeedFilter['day'],
  page: Page,
): Promise<PageOf<Activity>> {
  if (account.kind === 'person' && isHidden(caller, account)) return none
  const withPrivate = await seesPrivate(ctx, caller, account)
  return listFeed(ctx.db, { ...accountFilter(ctx, caller, account, withPrivate), day }, page)
}

export function accountFilter(
  ctx: Context,
  caller: Caller,
  account: Account,
  withPrivate: boolean,
): FeedFilter {
  const isPerson = account.kind === 'person'
  return {
    of: { column: isPerson ? 'account_id' : 'owner_id', id: account.id },
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

/** The repositories in which it happened, by their ids. */
export async function placesOf(
  ctx: Context,
  caller: Caller,
  activities: readonly Activity[],
): Promise<ReadonlyMap<number, RepositoryView>> {
  const ids = activities.map(({ repositoryId }) => repositoryId)
  const repos = [...(await repositoriesById(ctx.db, ids)).values()]
  const views = await viewRepositories(ctx, caller, repos)
  return new Map(views.map((view) => [view.repo.id, view]))
}
