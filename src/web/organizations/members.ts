import { readPage } from '../../platform/http/paging.ts'
import { listMembersFor, removeMember } from '../../identity/organizations/members.ts'
import { loadPerson } from '../../identity/users/load.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import { inSection, ownedBy, pathIn, saved } from './section.ts'

/** Whoever is in a team is a member. */
export async function showMembers(look: SignedInLook): Promise<Page> {
  const { ctx, query, request } = look
  const entered = await ownedBy(look)
  const { org } = entered
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await listMembersFor(ctx, entered, page)
  const rows = items.map((person) => ({
    title: personLink(ctx.config, person),
    about: person.fullName,
    action: renderLoss(
      pathIn(look, org, 'members', 'delete'),
      { name: person.name, warning: 'They leave all teams, and lose what these let them do.' },
      { name: person.name },
    ),
  }))
  const content = html`
<h2>Members</h2>
<p class="lede">Whoever is in a team is a member. New ones come by being added to <a href="${pathIn(look, org, 'teams')}">a team</a>.</p>
${renderRows(rows, 'There is nobody.')}
${renderPager(ctx.config, request, page, total)}`
  return inSection(look, org, 'members', content)
}

export async function dropMember(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const { org } = await ownedBy(submitted)
  await removeMember(ctx, org, await loadPerson(ctx, viewer, form.get('name') ?? ''))
  return saved(submitted, org, 'members')
}
