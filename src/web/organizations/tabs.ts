import { basePath, encodeSegment } from '../../config/urls.ts'
import type { Account } from '../../users/account.ts'
import { html, type Html } from '../html.ts'
import type { Look } from '../look.ts'

export type Tab = 'repositories' | 'people' | 'teams'

/** The address of a page that all see who see the organization, whose parts are encoded here. */
export function pathTo(
  { ctx }: Pick<Look, 'ctx'>,
  { name }: Account,
  ...parts: readonly string[]
): string {
  return [`${basePath(ctx.config)}/org`, ...[name, ...parts].map(encodeSegment)].join('/')
}

/** Teams are for those who are signed in, as in the API. */
export function renderTabs(look: Look, org: Account, tab: Tab): Html {
  const home = `${basePath(look.ctx.config)}/${encodeSegment(org.name)}`
  const links: readonly (readonly [Tab, string, string])[] = [
    ['repositories', 'Repositories', home],
    ['people', 'People', pathTo(look, org, 'members')],
    ...(look.viewer.account ? [['teams', 'Teams', pathTo(look, org, 'teams')] as const] : []),
  ]
  return html`
<nav class="tabs" aria-label="Organization">
${links.map(([name, label, href]) => renderTab(href, label, name === tab))}
</nav>`
}

export function renderTab(href: string, label: string, isCurrent: boolean): Html {
  return html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${label}</a>`
}
