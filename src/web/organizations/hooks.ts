import type { Account } from '../../users/account.ts'
import type { HookDone, HookForm, HookPlace } from '../hooks/pages.ts'
import { hookTitle } from '../hooks/title.ts'
import type { Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { inSection, ownedBy, pathIn } from './section.ts'

function placeOf(look: SignedInLook, org: Account): HookPlace {
  const { ctx, request, query, param } = look
  return {
    ctx,
    request,
    query,
    param,
    home: { kind: 'organization', id: org.id },
    about: 'Other servers are told what happens in all repositories of the organization.',
    path: (...parts) => pathIn(look, org, 'hooks', ...parts),
  }
}

/** Who hears of what happens in the repositories of an organization. */
export async function showHooks(
  look: SignedInLook,
  render: (place: HookPlace) => Promise<Html>,
): Promise<Page> {
  const { org } = await ownedBy(look)
  const content = await render(placeOf(look, org))
  return inSection(look, org, 'hooks', content, hookTitle(look.request))
}

export async function changeHooks(
  submitted: Submitted,
  act: (sent: HookForm) => Promise<HookDone>,
): Promise<Shown> {
  const { viewer, form } = submitted
  const { org } = await ownedBy(submitted)
  const done = await act({ ...placeOf(submitted, org), viewer, form })
  if ('leadsTo' in done) return done
  return { page: inSection(submitted, org, 'hooks', done.again), status: 422 }
}
