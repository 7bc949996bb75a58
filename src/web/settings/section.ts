import type { Context } from '../../context.ts'
import { assertAdministers } from '../../repositories/load.ts'
import { html, type Html } from '../html.ts'
import type { Site } from '../layout.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, repositoryPage, type Visit } from '../repository/visit.ts'

const sections = {
  '': 'General',
  features: 'Features',
  danger: 'Danger',
} as const

export type Section = keyof typeof sections

/** One page of a repository's settings, beside the way to the others. */
export function inSection(visit: Visit, section: Section, content: Html): InShell {
  const link = ([path, label]: [string, string]) =>
    html`<li><a href="${pathTo(visit, 'settings', path)}"${path === section && html` aria-current="page"`}>${label}</a></li>`
  return {
    tab: 'settings',
    title: `${sections[section]} · Settings`,
    content: html`
<div class="settings">
<nav aria-label="Settings"><ul class="plain">${Object.entries(sections).map(link)}</ul></nav>
<div>
${visit.query.text('saved') !== undefined && html`<p class="sheet notice" role="status">Saved.</p>`}
${content}
</div>
</div>`,
  }
}

/** Where a form leads whose changes were taken. */
export function saved(visit: Pick<Visit, 'home'>, section: Section): Done {
  return { leadsTo: `${pathTo(visit, 'settings', section)}?saved=yes` }
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
) {
  return repositoryForm(ctx, site, async (submitted) => {
    assertAdministers(submitted.view)
    return act(submitted)
  })
}
