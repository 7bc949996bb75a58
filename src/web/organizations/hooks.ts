import type { HookSection } from '../hooks/pages.ts'
import { hookTitle } from '../hooks/title.ts'
import type { Page } from '../layout.ts'
import type { SignedInLook } from '../look.ts'
import { inSection, ownedBy, pathIn } from './section.ts'

/** Who hears of what happens in the repositories of an organization. */
export async function enterHooks(look: SignedInLook): Promise<HookSection<Page>> {
  const { org } = await ownedBy(look)
  return {
    home: { kind: 'organization', id: org.id },
    about: 'Other servers are told what happens in all repositories of the organization.',
    path: (...parts) => pathIn(look, org, 'hooks', ...parts),
    frame: (content) => inSection(look, org, 'hooks', content, hookTitle(look.request)),
  }
}
