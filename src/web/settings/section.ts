import type { Context } from '../../platform/context.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import type { Html } from '../../platform/html.ts'
import { renderSettings, withNotice, type Notice } from '../forms/settings.ts'
import type { Site } from '../layout.ts'
import { repositoryForm, type Done, type FormTerms, type Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, repositoryPage, type Visit } from '../repository/visit.ts'
import { titleOf } from '../title.ts'

const sections = {
  '': 'General',
  features: 'Features',
  collaboration: 'Collaborators',
  branches: 'Branches',
  tags: 'Tags',
  hooks: 'Webhooks',
  keys: 'Deploy keys',
  mirrors: 'Mirrors',
  danger: 'Danger',
} as const

export type Section = keyof typeof sections

/**
 * One page of a repository's settings, beside the way to the others; `what` it is where a section
 * has several.
 */
export function inSection(visit: Visit, section: Section, content: Html, what?: string): InShell {
  const links = Object.entries(sections).map(([path, label]) => ({
    label,
    href: pathTo(visit, 'settings', path),
    isCurrent: path === section,
  }))
  return {
    tab: 'settings',
    title: titleOf(what, sections[section], 'Settings'),
    content: renderSettings(visit.query, links, content),
  }
}

/** Where a form leads whose changes were taken. */
export function saved(visit: Pick<Visit, 'home'>, section: Section, notice: Notice = 'yes'): Done {
  return { leadsTo: withNotice(pathTo(visit, 'settings', section), notice) }
}

/** For those who administer the repository, as all of its settings are. */
export function settingsPage(ctx: Context, site: Site, show: (visit: Visit) => Promise<InShell>) {
  return repositoryPage(ctx, site, async (visit) => {
    assertAdministers(visit.view)
    return show(visit)
  })
}

export function settingsForm(
  ctx: Context,
  site: Site,
  act: (submitted: Submitted) => Promise<Done>,
  terms: FormTerms = {},
) {
  return repositoryForm(ctx, site, act, { ...terms, admit: ({ view }) => assertAdministers(view) })
}
