import type { ApplicationSection } from '../applications/pages.ts'
import { html } from '../../platform/html.ts'
import type { SignedInLook } from '../look.ts'
import { inSection, ownedBy, pathIn } from './section.ts'

/** What an organization has registered, which goes on when those leave who did it. */
export async function enterApplications(look: SignedInLook): Promise<ApplicationSection> {
  const { org } = await ownedBy(look)
  return {
    owner: org,
    path: (...parts) => pathIn(look, org, 'applications', ...parts),
    frame: (content) => inSection(look, org, 'applications', content),
    renderAbove: async () => html`
<h2>OAuth2 applications</h2>
<p class="lede">Programs of ${org.name} that people let act for them, or sign in to with their account here.</p>`,
  }
}
