import { basePath } from '../../platform/config/urls.ts'
import { readPage } from '../../platform/http/paging.ts'
import { loadSeen, type SeenOrganization } from '../../identity/organizations/access.ts'
import {
  assertMayShowMember,
  leaveOrganization,
  listMembersFor,
  mayShowMember,
  membershipsOf,
  showMember,
} from '../../identity/organizations/members.ts'
import { canAdminister, canSeeMembers, isMember } from '../../identity/organizations/policy.ts'
import type { Account } from '../../identity/users/account.ts'
import { loadPerson } from '../../identity/users/load.ts'
import { avatar } from '../avatar.ts'
import { problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'
import { renderAction, renderRows, type SettingsRow } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown, Submitted } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import { pathIn } from './section.ts'
import { inShell } from './shell.ts'
import { pathTo } from './tabs.ts'

const explanations: Explanations = {
  last_owner: { message: 'You are its last owner: make somebody else one first, or delete it.' },
}

/** Members, as far as the viewer may know of them. */
export async function showPeople(look: Look, problem?: FormProblem): Promise<Page> {
  const { ctx, viewer, query, request } = look
  const seen = await loadSeen(ctx, viewer, look.param('org'))
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await listMembersFor(ctx, seen, page)
  const knowsAll = canSeeMembers(viewer, seen.standing)
  const content = html`
<h2>People</h2>
<p class="lede">${knowsAll ? 'Whoever is in a team is a member.' : 'Members who show that they are.'}</p>
${renderRows(await rowsOf(look, seen, items), knowsAll ? 'There is nobody.' : 'Nobody shows it.')}
${renderPager(ctx.config, request, page, total)}
${canAdminister(viewer, seen.standing) && html`<p><a class="button" href="${pathIn(look, seen.org, 'members')}">Set up members</a></p>`}
${isMember(seen.standing) && renderLeaving(look, seen.org, problem)}`
  return inShell(look, seen, { tab: 'people', title: 'People', content })
}

/** Members know what each of them is, and who shows it. */
async function rowsOf(
  look: Look,
  { org, standing }: SeenOrganization,
  people: readonly Account[],
): Promise<readonly SettingsRow[]> {
  const { ctx, viewer } = look
  const knowsAll = canSeeMembers(viewer, standing)
  const memberships = knowsAll ? await membershipsOf(ctx, org, people) : undefined
  return people.map((person) => {
    const { isOwner = false, isPublic = true } = memberships?.get(person.id) ?? {}
    const known = [isOwner ? 'Owner' : 'Member', isPublic ? 'shown to everybody' : 'hidden']
    const about = [person.fullName, ...(knowsAll ? known : [])].filter((part) => part !== '')
    const mayShow = mayShowMember(viewer, standing, person)
    return {
      title: html`${avatar(ctx.config, person, 24)} ${personLink(ctx.config, person)}`,
      about: about.join(' · '),
      action: mayShow ? renderSwitch(look, org, person, isPublic) : undefined,
    }
  })
}

function renderSwitch(look: Look, org: Account, { name }: Account, isPublic: boolean): Html {
  const path = pathTo(look, org, 'members', isPublic ? 'hide' : 'show')
  return renderAction(path, isPublic ? 'Hide' : 'Show to everybody', { name })
}

function renderLeaving(look: Look, org: Account, problem: FormProblem | undefined): Part {
  return html`
<details class="sheet opened-form removal"${problem && html` open`}><summary>Leave ${org.name}</summary>
<form class="form" method="post" action="${pathTo(look, org, 'members', 'leave')}">
<p>You lose what its teams let you do, and do not come back by yourself.</p>
${problem && html`<p class="problem" role="alert">${problem.message}</p>`}
<button class="button danger">Leave</button>
</form></details>`
}

export async function showMembership(submitted: Submitted): Promise<Shown> {
  return changeShown(submitted, true)
}

export async function hideMembership(submitted: Submitted): Promise<Shown> {
  return changeShown(submitted, false)
}

async function changeShown(submitted: Submitted, isPublic: boolean): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const { org, standing } = await loadSeen(ctx, viewer, submitted.param('org'))
  const person = await loadPerson(ctx, viewer, form.get('name') ?? '')
  assertMayShowMember(viewer, standing, person)
  await showMember(ctx, org, person, { isPublic })
  return { leadsTo: `${pathTo(submitted, org, 'members')}?saved=yes` }
}

/** Perhaps they see it no longer, so it leads to the start. */
export async function leave(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer } = submitted
  try {
    await leaveOrganization(ctx, await loadSeen(ctx, viewer, submitted.param('org')))
  } catch (error) {
    return { page: await showPeople(submitted, problemOf(error, explanations)), status: 422 }
  }
  return { leadsTo: `${basePath(ctx.config)}/` }
}
