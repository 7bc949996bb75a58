import type { SeenOrganization } from '../../identity/organizations/access.ts'
import { canAdminister } from '../../identity/organizations/policy.ts'
import { renderSaved } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { besideProfile } from '../pages/owner.ts'
import { renderTabs, type Tab } from './tabs.ts'

export interface InShell {
  readonly tab: Tab
  readonly title: string
  readonly content: Html
}

/** A page of an organization for all who see it. */
export async function inShell(
  look: Look,
  { caller, org, standing }: SeenOrganization,
  { tab, title, content }: InShell,
): Promise<Page> {
  const around = { organizations: [], maySetUp: canAdminister(caller, standing) }
  return {
    title: `${title} · ${org.name}`,
    content: besideProfile(
      look,
      org,
      around,
      html`${await renderTabs(look, org, tab)}${renderSaved(look.query)}${content}`,
    ),
  }
}
