import type { HookDone, HookForm, HookPlace } from '../hooks/pages.ts'
import type { Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { adminPath, again, inSection } from './section.ts'

function placeOf(look: SignedInLook): HookPlace {
  const { ctx, request, query, param } = look
  return {
    ctx,
    request,
    query,
    param,
    home: { kind: 'system' },
    about:
      'Other servers are told what happens in all repositories of this one, or in those that are made from now on.',
    path: (...parts) => adminPath(look, 'hooks', ...parts),
  }
}

/** Who hears of everything that happens here. */
export async function showHooks(
  look: SignedInLook,
  render: (place: HookPlace) => Promise<Html>,
): Promise<Page> {
  return inSection(look, 'hooks', await render(placeOf(look)))
}

export async function changeHooks(
  submitted: Submitted,
  act: (sent: HookForm) => Promise<HookDone>,
): Promise<Shown> {
  const { viewer, form } = submitted
  const done = await act({ ...placeOf(submitted), viewer, form })
  return 'leadsTo' in done ? done : again(inSection(submitted, 'hooks', done.again))
}
