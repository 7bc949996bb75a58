import type { HookForm, HookDone, HookPlace } from '../hooks/pages.ts'
import { hookTitle } from '../hooks/title.ts'
import type { Html } from '../html.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { inSection } from './section.ts'

function placeOf(visit: Visit): HookPlace {
  const { ctx, request, query, param, view } = visit
  return {
    ctx,
    request,
    query,
    param,
    home: { kind: 'repository', id: view.repo.id },
    about: 'Other servers are told what happens here: pushes, issues, releases and more.',
    path: (...parts) => pathTo(visit, 'settings/hooks', ...parts),
  }
}

/** Who hears of what happens in the repository. */
export async function showHooks(
  visit: Visit,
  render: (place: HookPlace) => Promise<Html>,
): Promise<InShell> {
  return inSection(visit, 'hooks', await render(placeOf(visit)), hookTitle(visit.request))
}

export async function changeHooks(
  submitted: Submitted,
  act: (sent: HookForm) => Promise<HookDone>,
): Promise<Done> {
  const { viewer, form } = submitted
  const done = await act({ ...placeOf(submitted), viewer, form })
  return 'leadsTo' in done ? done : inSection(submitted, 'hooks', done.again)
}
