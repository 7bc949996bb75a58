import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { isSiteAdmin } from '../../platform/context.ts'
import type { Account } from '../../identity/users/account.ts'
import { adminPath } from '../administration/section.ts'
import { avatar } from '../avatar.ts'
import { counted, timeAgo } from '../figures.ts'
import { renderAction, renderSaved } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { renderTabs } from '../organizations/tabs.ts'
import { outsideLink } from '../outside-link.ts'
import type { Listed } from '../repository-search.ts'
import { renderFound, renderSearch } from './explore.ts'

export interface Around {
  readonly organizations: readonly Account[]
  /** The viewer sets this account up. */
  readonly maySetUp: boolean
  /** Whether the viewer follows; absent of those who cannot be followed by them. */
  readonly isFollowed?: boolean | undefined
  /** The viewer makes repositories in this organization. */
  readonly mayCreate?: boolean
}

/** What somebody has starred, as far as the viewer may see it. */
export async function starsPage(
  look: Look,
  person: Account,
  listed: Listed,
  around: Around,
): Promise<Page> {
  const content = html`
${await renderTabs(look, person, 'stars')}
${listed.total === 0 ? html`<section class="sheet empty"><h2>No stars yet</h2></section>` : renderFound(look, listed, { withOwner: true })}`
  return { title: `Stars · ${person.name}`, content: besideProfile(look, person, around, content) }
}

/** A person or an organization, with what of theirs the viewer may see. */
export async function ownerPage(
  look: Look,
  owner: Account,
  listed: Listed,
  around: Around,
): Promise<Page> {
  const path = `${basePath(look.ctx.config)}/${encodeSegment(owner.name)}`
  const isEmpty = listed.total === 0 && listed.text === ''
  return {
    title: owner.fullName === '' ? owner.name : `${owner.name} (${owner.fullName})`,
    newsOf: path,
    content: besideProfile(
      look,
      owner,
      around,
      html`
${await renderTabs(look, owner, 'repositories')}
${renderSaved(look.query)}
${!isEmpty && around.mayCreate && html`<div class="row">${newRepository(look, owner)}</div>`}
${!isEmpty && renderSearch(look, path, listed)}
${listed.total === 0 ? renderNothing(look, owner, listed, around) : renderFound(look, listed, { withOwner: false })}`,
    ),
  }
}

/** What is shown of an owner, beside what they say about themselves. */
export function besideProfile(look: Look, owner: Account, around: Around, content: Html): Html {
  return html`
<div class="owner">
${renderProfile(look, owner, around)}
<div>
${content}
</div>
</div>`
}

function renderProfile({ ctx, viewer }: Look, owner: Account, around: Around): Html {
  const { config } = ctx
  const { organizations, maySetUp, isFollowed } = around
  return html`
<header class="profile">
${avatar(config, owner, 96)}
<div>
<h1>${owner.fullName || owner.name}</h1>
<p class="mute">${owner.name}${owner.kind === 'organization' && html` <span class="tag">Organization</span>`}${owner.visibility !== 'public' && html` <span class="tag">${owner.visibility === 'limited' ? 'Limited' : 'Private'}</span>`}</p>
</div>
${owner.description !== '' && html`<p>${owner.description}</p>`}
<ul class="plain mute">
${owner.location !== '' && html`<li>${owner.location}</li>`}
${owner.website !== '' && html`<li>${outsideLink(owner.website)}</li>`}
${owner.kind === 'person' && html`<li>${renderFollowing({ ctx, viewer }, owner)}</li>`}
<li>joined ${timeAgo(ctx.now(), owner.createdAt)}</li>
</ul>
${isFollowed !== undefined && renderFollow(basePath(config), owner, isFollowed)}
${maySetUp && html`<p><a class="button" href="${settingsOf(basePath(config), owner)}">Settings</a></p>`}
${owner.kind === 'person' && isSiteAdmin(viewer) && html`<p><a class="button" href="${adminPath({ ctx }, 'users', owner.name)}">Administer</a></p>`}
${renderOrganizations(basePath(config), organizations)}
</header>`
}

/** To the anonymous the API tells how many, and not who. */
function renderFollowing({ ctx, viewer }: Pick<Look, 'ctx' | 'viewer'>, person: Account): Html {
  const path = `${basePath(ctx.config)}/${encodeSegment(person.name)}`
  const [followers, following] = [
    counted(person.followersCount, 'follower'),
    `${person.followingCount} following`,
  ]
  if (!viewer.account) return html`${followers} · ${following}`
  return html`<a href="${path}?tab=followers">${followers}</a> · <a href="${path}?tab=following">${following}</a>`
}

function renderFollow(root: string, { name }: Account, isFollowed: boolean): Html {
  const [action, label] = isFollowed ? ['unfollow', 'Unfollow'] : ['follow', 'Follow']
  return renderAction(`${root}/user/following`, label, { name, action })
}

function settingsOf(root: string, { kind, name }: Account): string {
  return kind === 'person' ? `${root}/user/settings` : `${root}/org/${encodeSegment(name)}/settings`
}

function renderOrganizations(root: string, organizations: readonly Account[]): Part {
  if (organizations.length === 0) return undefined
  const item = ({ name }: Account) =>
    html`<li><a href="${root}/${encodeSegment(name)}">${name}</a></li>`
  return html`<h2>Organizations</h2><ul class="plain">${organizations.map(item)}</ul>`
}

function newRepository({ ctx }: Look, { name }: Account): Html {
  const path = `${basePath(ctx.config)}/repo/create?owner=${encodeURIComponent(name)}`
  return html`<a class="button main end" href="${path}">New repository</a>`
}

function renderNothing(look: Look, owner: Account, { text }: Listed, { mayCreate }: Around): Html {
  const { ctx, viewer } = look
  const root = basePath(ctx.config)
  if (text !== '') {
    return html`<section class="sheet empty"><h2>Nothing fits “${text}”</h2><p class="mute"><a href="${root}/${encodeSegment(owner.name)}">All of ${owner.name}</a></p></section>`
  }
  const isOwn = viewer.account?.id === owner.id
  return html`
<section class="sheet empty">
<h2>${isOwn ? 'You have no repository yet' : `${owner.name} shows no repositories`}</h2>
${
  isOwn &&
  html`<p class="mute">A repository holds code with its history, issues and releases.</p>
<p><a class="button main" href="${root}/repo/create">Create one</a></p>`
}
${mayCreate && html`<p>${newRepository(look, owner)}</p>`}
</section>`
}
