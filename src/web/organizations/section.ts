import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { loadOwned, type InOrganization } from '../../identity/organizations/access.ts'
import type { Account } from '../../identity/users/account.ts'
import { renderSettings } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown, SignedInLook } from '../look.ts'
import { titleOf } from '../title.ts'

const sections = {
  '': 'General',
  members: 'Members',
  teams: 'Teams',
  labels: 'Labels',
  applications: 'Applications',
  hooks: 'Webhooks',
  blocks: 'Blocked people',
} as const

export type Section = keyof typeof sections

/** The organization of the path, which is set up by those who own it. */
export async function ownedBy(look: SignedInLook): Promise<InOrganization> {
  return loadOwned(look.ctx, look.viewer, look.param('org'))
}

/** One page of how an organization is set up; `what` it is where a section has several. */
export function inSection(
  look: Look,
  org: Account,
  section: Section,
  content: Html,
  what?: string,
): Page {
  const isShown = (path: string) => path !== 'applications' || look.ctx.config.oauth2.enabled
  const shown = Object.entries(sections).filter(([path]) => isShown(path))
  const links = shown.map(([path, label]) => ({
    label,
    href: pathIn(look, org, path),
    isCurrent: path === section,
  }))
  const page = `${basePath(look.ctx.config)}/${encodeSegment(org.name)}`
  return {
    title: titleOf(what, sections[section], 'Settings', org.name),
    content: html`<h1><a href="${page}">${org.name}</a></h1>${renderSettings(look.query, links, content)}`,
  }
}

/** The address of such a page, whose parts are encoded here. */
export function pathIn(
  { ctx }: Pick<Look, 'ctx'>,
  { name }: Pick<Account, 'name'>,
  ...parts: readonly string[]
): string {
  const below = [name, 'settings', ...parts].filter((part) => part !== '')
  return [`${basePath(ctx.config)}/org`, ...below.map(encodeSegment)].join('/')
}

/** Where a form leads whose changes were taken. */
export function saved(
  look: Look,
  org: Pick<Account, 'name'>,
  section: Section,
  ...parts: readonly string[]
): Shown {
  return { leadsTo: `${pathIn(look, org, section, ...parts)}?saved=yes` }
}
