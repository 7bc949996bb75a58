import type { HookSection } from '../hooks/pages.ts'
import { hookTitle } from '../hooks/title.ts'
import type { Page } from '../layout.ts'
import type { SignedInLook } from '../look.ts'
import { inSection, settingsPath } from './section.ts'

/** Who hears of what happens in one's repositories. */
export async function enterHooks(look: SignedInLook): Promise<HookSection<Page>> {
  return {
    home: { kind: 'user', id: look.viewer.account.id },
    about: 'Other servers are told what happens in all of your repositories.',
    path: (...parts) => settingsPath(look, 'hooks', ...parts),
    frame: (content) => inSection(look, 'hooks', content, hookTitle(look.request)),
  }
}
