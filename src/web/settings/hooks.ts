import type { HookSection } from '../hooks/pages.ts'
import { hookTitle } from '../hooks/title.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { inSection } from './section.ts'

/** Who hears of what happens in the repository. */
export async function enterHooks(visit: Visit): Promise<HookSection<InShell>> {
  return {
    home: { kind: 'repository', id: visit.view.repo.id },
    about: 'Other servers are told what happens here: pushes, issues, releases and more.',
    path: (...parts) => pathTo(visit, 'settings/hooks', ...parts),
    frame: (content) => inSection(visit, 'hooks', content, hookTitle(visit.request)),
  }
}
