import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { readsPackagesOf } from '../../delivery/packages/access.ts'
import { readsBoardsOf } from '../../collaboration/projects/owners.ts'
import { boardsPath } from '../../collaboration/projects/present.ts'
import type { Account } from '../../identity/users/account.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Look } from '../look.ts'
import { packagesPath } from '../packages/paths.ts'

export type Tab =
  | 'repositories'
  | 'activity'
  | 'stars'
  | 'projects'
  | 'packages'
  | 'people'
  | 'teams'

/** The address of a page that all see who see the organization, whose parts are encoded here. */
export function pathTo(
  { ctx }: Pick<Look, 'ctx'>,
  { name }: Account,
  ...parts: readonly string[]
): string {
  return [`${basePath(ctx.config)}/org`, ...[name, ...parts].map(encodeSegment)].join('/')
}

export function activityPath({ ctx }: Pick<Look, 'ctx'>, { name }: Account): string {
  return `${basePath(ctx.config)}/${encodeSegment(name)}?tab=activity`
}

/** What there is to see of a person or an organization; none of it is current on pages besides. */
export async function renderTabs(look: Look, owner: Account, tab?: Tab): Promise<Html> {
  const { ctx, viewer } = look
  const root = basePath(ctx.config)
  const links: readonly (readonly [Tab, string, string])[] = [
    ['repositories', 'Repositories', `${root}/${encodeSegment(owner.name)}`],
    ['activity', 'Activity', activityPath(look, owner)],
    ...(owner.kind === 'person' && showsStars(look)
      ? [['stars', 'Stars', `${root}/${encodeSegment(owner.name)}?tab=stars`] as const]
      : []),
    ...((await readsBoardsOf(ctx, viewer, owner.id))
      ? [['projects', 'Projects', `${root}/${boardsPath(owner)}`] as const]
      : []),
    ...((await readsPackagesOf(ctx, viewer, owner))
      ? [['packages', 'Packages', packagesPath(look, owner)] as const]
      : []),
    ...(owner.kind === 'organization' ? linksWithin(look, owner) : []),
  ]
  return html`
<nav class="tabs" aria-label="${owner.kind === 'organization' ? 'Organization' : 'Person'}">
${links.map(([name, label, href]) => renderTab(href, label, name === tab))}
</nav>`
}

/** Those of people are for those who are signed in, as in the API. */
function showsStars({ ctx, viewer }: Look): boolean {
  return ctx.config.repositories.stars && viewer.account !== undefined
}

/** Teams are for those who are signed in, as in the API. */
function linksWithin(look: Look, org: Account): readonly (readonly [Tab, string, string])[] {
  return [
    ['people', 'People', pathTo(look, org, 'members')],
    ...(look.viewer.account ? [['teams', 'Teams', pathTo(look, org, 'teams')] as const] : []),
  ]
}

export function renderTab(href: string, label: string, isCurrent: boolean): Html {
  return html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${label}${isCurrent && html`<current-tab></current-tab>`}</a>`
}
