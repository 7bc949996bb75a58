import { listAccountFeed, listRepositoryFeed, placesOf } from '../../outbound/activity/feed.ts'
import type { Activity } from '../../outbound/activity/queries.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Page } from '../../platform/db/page.ts'
import type { Refer } from '../../platform/markup/references.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { html } from '../../platform/html.ts'
import type { Look } from '../look.ts'
import {
  loadFeedReferences,
  renderDetails,
  tellActivity,
  type Happened,
} from '../repository/activity-line.ts'
import { homeOf, type Visit } from '../repository/visit.ts'
import { permanentId, wholeAddress, withWholeAddresses } from './address.ts'
import type { Entry, News } from './document.ts'

type Viewed = Pick<Look, 'ctx' | 'viewer' | 'request'>

const LATEST: Page = { number: 1, limit: 30, offset: 0 }

/** What happened in a repository, as far as the viewer may know. */
export async function newsOfRepository(visit: Visit): Promise<News> {
  const { ctx, viewer, view, request } = visit
  const { items } = await listRepositoryFeed(ctx, viewer, view, undefined, LATEST)
  const lines = items.map((activity) => ({ activity, view }))
  return {
    title: `${view.owner.name}/${view.repo.name}`,
    leadsTo: wholeAddress(ctx.config, visit.home),
    self: wholeAddress(ctx.config, basePath(ctx.config) + request.url),
    since: view.repo.createdAt,
    entries: await entriesOf(visit, lines, titleOf),
  }
}

/** What somebody did, or what happened in the repositories of an organization. */
export async function newsOfOwner(look: Viewed, owner: Account): Promise<News> {
  const { ctx, viewer, request } = look
  const { items } = await listAccountFeed(ctx, viewer, owner, undefined, LATEST)
  const places = await placesOf(ctx, viewer, items)
  const lines = items.flatMap((activity) => {
    const view = places.get(activity.repositoryId)
    return view ? [{ activity, view }] : []
  })
  const path = `${basePath(ctx.config)}/${encodeSegment(owner.name)}`
  return {
    title: owner.fullName || owner.name,
    leadsTo: wholeAddress(ctx.config, path),
    self: wholeAddress(ctx.config, basePath(ctx.config) + request.url),
    since: owner.createdAt,
    entries: await entriesOf(look, lines, titleWithPlace),
  }
}

type Title = (home: string, happened: Happened) => string

async function entriesOf(
  { ctx, viewer }: Viewed,
  lines: readonly Happened[],
  title: Title,
): Promise<readonly Entry[]> {
  const referIn = await loadFeedReferences(ctx, viewer, lines)
  return lines.map((line) => entryOf({ ctx, refer: referIn(line.view) }, line, title))
}

function entryOf(
  { ctx, refer }: Pick<Viewed, 'ctx'> & { readonly refer: Refer },
  happened: Happened,
  title: Title,
): Entry {
  const { activity, view } = happened
  const home = homeOf(ctx, view)
  const details = html`${renderDetails({ ctx, home, refer }, activity)}`
  return {
    id: permanentId(ctx.config, 'activity', activity.id),
    title: title(home, happened),
    leadsTo: wholeAddress(ctx.config, tellActivity({ home }, activity).leadsTo ?? home),
    at: activity.createdAt,
    author: activity.account.name,
    content: withWholeAddresses(ctx.config, details.toString()),
  }
}

const titleOf: Title = (home, { activity }) => sentenceOf(home, activity)

const titleWithPlace: Title = (home, { activity, view }) =>
  `${sentenceOf(home, activity)} · ${nameOf(view)}`

function sentenceOf(home: string, activity: Activity): string {
  const { done, what } = tellActivity({ home }, activity)
  return [activity.account.name, done, ...(what === undefined ? [] : [what])].join(' ')
}

function nameOf({ owner, repo }: RepositoryView): string {
  return `${owner.name}/${repo.name}`
}
