import { hasPassword } from '../../identity/auth/first-password.ts'
import { basePath } from '../../platform/config/urls.ts'
import { usesOpenId } from '../../identity/openid-connect/provider.ts'
import { renderSettings } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown } from '../look.ts'
import { titleOf } from '../title.ts'

const sections = {
  '': 'Profile',
  emails: 'E-mail addresses',
  notifications: 'Notifications',
  keys: 'Keys',
  tokens: 'Access tokens',
  applications: 'Applications',
  hooks: 'Webhooks',
  blocks: 'Blocked people',
  'two-factor': 'Two-factor authentication',
  openid: 'Single sign-on',
  sessions: 'Sessions',
} as const

export type Section = keyof typeof sections

/** One page of the settings of an account; `what` it is where a section has several. */
export function inSection(look: Look, section: Section, content: Html, what?: string): Page {
  const { config } = look.ctx
  const isOff: Partial<Record<string, boolean>> = {
    emails: !config.users.manage_emails,
    notifications: !look.ctx.mailer.isSetUp,
    applications: !config.oauth2.enabled,
    openid: !usesOpenId(look.ctx),
  }
  const shown = Object.entries(sections).filter(([path]) => !isOff[path])
  const links = shown.map(([path, label]) => ({
    label,
    href: settingsPath(look, path),
    isCurrent: path === section,
  }))
  const password = {
    label: 'Password',
    href: passwordPath(look),
    isCurrent: false,
  }
  return {
    title: titleOf(what, sections[section], 'Settings'),
    content: html`<h1>Settings</h1>${renderSettings(look.query, [...links, password], content)}`,
  }
}

/** Where the password is set or changed. */
export function passwordPath({ ctx, viewer }: Look): string {
  const root = basePath(ctx.config)
  if (!viewer.account || hasPassword(viewer.account)) return `${root}/user/change_password`
  return usesOpenId(ctx) ? `${root}/user/settings/openid` : `${root}/user/forgot_password`
}

export function settingsPath({ ctx }: Pick<Look, 'ctx'>, ...parts: readonly string[]): string {
  return [`${basePath(ctx.config)}/user/settings`, ...parts.filter((part) => part !== '')].join('/')
}

/** Where a form leads whose changes were taken. */
export function saved(look: Look, section: Section): Shown {
  return { leadsTo: `${settingsPath(look, section)}?saved=yes` }
}

/** The form again, with what is wrong. */
export function again(page: Page): Shown {
  return { page, status: 422 }
}
