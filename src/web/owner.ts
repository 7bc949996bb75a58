import { basePath, encodeSegment } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { followAccount, follows, unfollowAccount } from '../identity/followers/follow.ts'
import { signedIn } from '../platform/http/call.ts'
import { loadStanding } from '../identity/organizations/load.ts'
import { listMemberships } from '../identity/organizations/memberships.ts'
import { canAdminister } from '../identity/organizations/policy.ts'
import type { Account } from '../identity/users/account.ts'
import { loadPerson, loadVisibleAccount } from '../identity/users/load.ts'
import type { Page, Site } from './layout.ts'
import { formOf, pageOf, type Look, type Shown, type Submitted } from './look.ts'
import type { PageServer } from './page-server.ts'
import { findOwnerDocument } from './owner-documents.ts'
import { ownerActivityPage } from './pages/owner-activity.ts'
import { ownerPage, starsPage, type Around } from './pages/owner.ts'
import { relatedPeoplePage } from './pages/related-people.ts'
import { loadPeoplePage } from './people-page.ts'
import { searchPage } from './repository-search.ts'

const MAX_ORGANIZATIONS = 50

/** What there is of a person or an organization, and following people. */
export function ownerRoutes(server: PageServer, ctx: Context, site: Site): void {
  const owner = pageOf(ctx, site, async (look) => {
    const document = await findOwnerDocument(look)
    if (document) return { document }
    const account = await loadVisibleAccount(ctx, look.viewer, look.param('name'))
    const around = await lookAround(look, account)
    if (look.query.text('tab') === 'activity') return ownerActivityPage(look, account, around)
    return account.kind === 'person'
      ? showPerson(look, account, around)
      : showRepositories(look, account, around)
  })
  server.get('/:name', owner)
  server.post('/user/following', formOf(ctx, site, follow))
}

async function showRepositories(look: Look, account: Account, around: Around): Promise<Page> {
  const listed = await searchPage(look, { accountId: account.id, exclusive: true })
  return ownerPage(look, account, listed, around)
}

async function showPerson(look: Look, person: Account, around: Around): Promise<Page> {
  const tab = look.query.text('tab')
  if (tab === 'followers' || tab === 'following') {
    return relatedPeoplePage(look, person, around, await loadPeoplePage(look, person, tab))
  }
  if (tab === 'stars' && look.ctx.config.repositories.stars) {
    signedIn(look.viewer)
    return starsPage(look, person, await searchPage(look, { starredBy: person.id }), around)
  }
  return showRepositories(look, person, around)
}

async function follow({ ctx, viewer, form }: Submitted): Promise<Shown> {
  const person = await loadPerson(ctx, viewer, form.get('name') ?? '')
  const change = form.get('action') === 'unfollow' ? unfollowAccount : followAccount
  await change(ctx, viewer.account, person)
  return { leadsTo: `${basePath(ctx.config)}/${encodeSegment(person.name)}` }
}

async function lookAround(look: Look, account: Account): Promise<Around> {
  return {
    organizations: await organizationsOf(look, account),
    maySetUp: await maySetUp(look, account),
    isFollowed: await isFollowed(look, account),
    mayCreate: await mayCreate(look, account),
  }
}

async function isFollowed({ ctx, viewer }: Look, account: Account): Promise<boolean | undefined> {
  if (!viewer.account || account.kind !== 'person' || account.id === viewer.account.id) {
    return undefined
  }
  return follows(ctx, viewer.account, account)
}

/** One's own account, and organizations that one owns. */
async function maySetUp({ ctx, viewer }: Look, account: Account): Promise<boolean> {
  if (account.kind === 'person') return viewer.account?.id === account.id
  return canAdminister(viewer, await loadStanding(ctx, viewer, account))
}

/** In an organization, as one of its members: those are offered where a repository is made. */
async function mayCreate({ ctx, viewer }: Look, account: Account): Promise<boolean> {
  if (account.kind === 'person') return false
  return (await loadStanding(ctx, viewer, account)).canCreateRepositories
}

/** To the anonymous the API tells none. */
async function organizationsOf(
  { ctx, viewer }: Look,
  account: Account,
): Promise<readonly Account[]> {
  if (account.kind !== 'person' || !viewer.account) return []
  const page = { number: 1, limit: MAX_ORGANIZATIONS, offset: 0 }
  return (await listMemberships(ctx, viewer, account, page)).items
}
