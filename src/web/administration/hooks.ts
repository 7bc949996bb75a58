import type { HookSection } from '../hooks/pages.ts'
import { hookTitle } from '../hooks/title.ts'
import type { Page } from '../layout.ts'
import type { SignedInLook } from '../look.ts'
import { adminPath, inSection } from './section.ts'

/** Who hears of everything that happens here. */
export async function enterHooks(look: SignedInLook): Promise<HookSection<Page>> {
  return {
    home: { kind: 'system' },
    about:
      'Other servers are told what happens in all repositories of this one, or in those that are made from now on.',
    path: (...parts) => adminPath(look, 'hooks', ...parts),
    frame: (content) => inSection(look, 'hooks', content, hookTitle(look.request)),
  }
}
