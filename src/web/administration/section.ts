import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { isSiteAdmin } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { renderSettings } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown } from '../look.ts'
import { titleOf } from '../title.ts'

const sections = {
  '': 'Server',
  users: 'People',
  emails: 'Addresses',
  orgs: 'Organizations',
  repos: 'Repositories',
  packages: 'Packages',
  hooks: 'Webhooks',
  unadopted: 'Adoption',
  settings: 'Settings',
} as const

export type Section = keyof typeof sections

export function assertAdministers({ viewer }: Look): void {
  if (!isSiteAdmin(viewer)) throw notFound()
}

/** One page for administrators; `what` it is where a section has several. */
export function inSection(look: Look, section: Section, content: Html, what?: string): Page {
  const links = Object.entries(sections).map(([path, label]) => ({
    label,
    href: adminPath(look, path),
    isCurrent: path === section,
  }))
  return {
    title: titleOf(what, sections[section], 'Administration'),
    content: html`<h1>Administration</h1>${renderSettings(look.query, links, content)}`,
  }
}

/** The address of a page for administrators, whose parts are encoded here. */
export function adminPath({ ctx }: Pick<Look, 'ctx'>, ...parts: readonly string[]): string {
  const encoded = parts.filter((part) => part !== '').map(encodeSegment)
  return [`${basePath(ctx.config)}/-/admin`, ...encoded].join('/')
}

/** Where a form leads whose changes were taken. */
export function saved(look: Look, ...parts: readonly string[]): Shown {
  return { leadsTo: `${adminPath(look, ...parts)}?saved=yes` }
}

/** The form again, with what is wrong. */
export function again(page: Page): Shown {
  return { page, status: 422 }
}
