import { AppError, notFound } from '../../errors.ts'
import { bindForm } from '../../http/binding.ts'
import { readPage } from '../../http/paging.ts'
import { loadTeams } from '../../organizations/load.ts'
import { readNewTeam } from '../../organizations/present.ts'
import { isOwnersTeam, type Team } from '../../organizations/team.ts'
import { CreateTeamOption } from '../../organizations/team-schema.ts'
import {
  addTeamMember,
  createTeam,
  removeTeam,
  removeTeamMember,
  teamMembersOf,
} from '../../organizations/teams.ts'
import type { Account } from '../../users/account.ts'
import { loadPerson } from '../../users/load.ts'
import {
  FormFields,
  formOfValues,
  withChecks,
  type Choice,
  type FormState,
} from '../forms/fields.ts'
import { problemOf, type Explanation, type FormProblem } from '../forms/problem.ts'
import { renderAction, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import { inSection, ownedBy, pathIn, saved } from './section.ts'

const levels: readonly Choice[] = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'admin', label: 'Administer' },
]

const explanations: readonly Explanation[] = [
  [/already exists|taken|in use/, { field: 'name', message: 'There is a team of this name.' }],
  [/name is reserved/, { field: 'name', message: 'This name is kept for other things.' }],
]

export async function showTeams(look: SignedInLook, state?: FormState): Promise<Page> {
  const { org } = await ownedBy(look)
  const rows = (await loadTeams(look.ctx, org.id)).map((team) => ({
    title: html`<a href="${pathIn(look, org, 'teams', team.name)}">${team.name}</a>`,
    about: describeTeam(team),
  }))
  const content = html`
<h2>Teams</h2>
<p class="lede">A team has people and repositories, and says what they may do there.</p>
${renderRows(rows, 'There is none.')}
${renderNew(look, org, state ?? { form: formOfValues({ permission: 'read' }) })}`
  return inSection(look, org, 'teams', content)
}

function describeTeam({ access, description, includesAllRepositories: hasAll }: Team): string {
  return [
    access === 'none' ? 'differs by unit' : access,
    ...(hasAll ? ['all repositories'] : []),
    ...(description === '' ? [] : [description]),
  ].join(' · ')
}

function renderNew(look: SignedInLook, org: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${pathIn(look, org, 'teams')}">
${fields.complaint}
${fields.text('name', 'Name')}
${fields.text('description', 'Description', { optional: true })}
${fields.select('permission', 'What they may do', levels)}
${fields.check('includes_all_repositories', 'With all repositories')}
${fields.check('can_create_org_repo', 'They create repositories')}
<button class="button main" type="submit">Create team</button>
</form>`
}

export async function addTeam(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org } = await ownedBy(submitted)
  try {
    const whole = withChecks(form, ['includes_all_repositories', 'can_create_org_repo'])
    const { name } = await createTeam(ctx, org, readNewTeam(bindForm(CreateTeamOption, whole)))
    return saved(submitted, org, 'teams', name)
  } catch (error) {
    const problem = problemOf(error, explanations)
    return { page: await showTeams(submitted, { form, problem }), status: 422 }
  }
}

async function loadTeamOf(look: SignedInLook) {
  const { org } = await ownedBy(look)
  const name = look.param('team').toLowerCase()
  const team = (await loadTeams(look.ctx, org.id)).find((one) => one.name.toLowerCase() === name)
  if (!team) throw notFound()
  return { org, team }
}

/** Who is in a team. */
export async function showTeam(look: SignedInLook, state?: FormState): Promise<Page> {
  const { ctx, query, request } = look
  const { org, team } = await loadTeamOf(look)
  const path = (...parts: readonly string[]) => pathIn(look, org, 'teams', team.name, ...parts)
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await teamMembersOf(ctx, team, page)
  const rows = items.map((person) => ({
    title: personLink(ctx.config, person),
    about: person.fullName,
    action: renderAction(path('members', 'delete'), 'Remove', { name: person.name }),
  }))
  const fields = new FormFields(state ?? { form: new URLSearchParams() })
  const content = html`
<h2>${team.name}</h2>
<p class="lede">${describeTeam(team)}</p>
${fields.complaint}
${renderRows(rows, 'Nobody is in it yet.')}
${renderPager(ctx.config, request, page, total)}
<form class="sheet form" method="post" action="${path('members')}">
${fields.text('name', 'Name')}
<button class="button main" type="submit">Add to the team</button>
</form>
${!isOwnersTeam(team) && renderRemoval(path('delete'), team, fields)}`
  return inSection(look, org, 'teams', content)
}

function renderRemoval(path: string, { name }: Team, fields: FormFields): Html {
  return html`
<h2>Delete</h2>
<form class="sheet form" method="post" action="${path}">
<p>Whoever is in no other team leaves the organization.</p>
${fields.text('delete_name', `Type ${name} to confirm`)}
<button class="button danger" type="submit">Delete the team</button>
</form>`
}

export async function addMember(submitted: Submitted): Promise<Shown> {
  return changeMembers(submitted, addTeamMember)
}

export async function dropMember(submitted: Submitted): Promise<Shown> {
  return changeMembers(submitted, removeTeamMember)
}

async function changeMembers(submitted: Submitted, change: typeof addTeamMember): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const { org, team } = await loadTeamOf(submitted)
  try {
    await change(ctx, team, await loadPerson(ctx, viewer, form.get('name') ?? ''))
  } catch (error) {
    const page = await showTeam(submitted, { form, problem: memberProblem(error) })
    return { page, status: 422 }
  }
  return saved(submitted, org, 'teams', team.name)
}

function memberProblem(error: unknown): FormProblem {
  const isUnknown = error instanceof AppError && error.code === 'not_found'
  if (isUnknown) return { field: 'name', message: 'There is nobody of this name.' }
  return problemOf(error)
}

export async function dropTeam(submitted: Submitted): Promise<Shown> {
  const { org, team } = await loadTeamOf(submitted)
  if (submitted.form.get('delete_name') !== team.name) {
    const problem = { field: 'delete_name', message: 'This is not the name of the team.' }
    return { page: await showTeam(submitted, { form: submitted.form, problem }), status: 422 }
  }
  await removeTeam(submitted.ctx, team)
  return saved(submitted, org, 'teams')
}
