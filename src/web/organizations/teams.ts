import { isNotFound, Moved, notFound } from '../../platform/errors.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { readPage } from '../../platform/http/paging.ts'
import { loadTeams } from '../../identity/organizations/load.ts'
import { readNewTeam, readTeamEdit } from '../../identity/organizations/present.ts'
import { isOwnersTeam, type Team } from '../../identity/organizations/team.ts'
import { CreateTeamOption, EditTeamOption } from '../../identity/organizations/team-schema.ts'
import {
  addTeamMember,
  createTeam,
  editTeam,
  removeTeam,
  removeTeamMember,
  teamMembersOf,
} from '../../identity/organizations/teams.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import { giveToTeam, takeFromTeam } from '../../repositories/team-repositories/share.ts'
import type { Account } from '../../identity/users/account.ts'
import { loadPerson } from '../../identity/users/load.ts'
import {
  FormFields,
  formOfValues,
  withChecks,
  type Choice,
  type FormState,
} from '../forms/fields.ts'
import { personProblem, problemOf, type Explanations } from '../forms/problem.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import { inSection, ownedBy, pathIn, saved } from './section.ts'
import { describeTeam, loadTeamOfPath } from './team.ts'
import { renderTeamRepositories } from './team-repositories.ts'
import { formOfLevels, readLevels, renderLevels, rightsProblems } from './team-rights.ts'

const visibilities: readonly Choice[] = [
  { value: 'private', label: 'Its members and the owners' },
  { value: 'limited', label: 'All members of the organization' },
  { value: 'public', label: 'Everybody who sees the organization' },
]

const explanations: Explanations = {
  name_taken: { field: 'name', message: 'There is a team of this name.' },
  name_reserved: { field: 'name', message: 'This name is kept for other things.' },
  ...rightsProblems,
}

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

function renderNew(look: SignedInLook, org: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${pathIn(look, org, 'teams')}">
${fields.complaint}
${fields.text('name', 'Name')}
${renderRights(look, fields)}
<button class="button main" type="submit">Create team</button>
</form>`
}

function renderRights({ ctx }: SignedInLook, fields: FormFields, team?: Team): Html {
  return html`
${fields.text('description', 'Description', { optional: true })}
${fields.select('visibility', 'Who sees the team', visibilities)}
${renderLevels(ctx.config, fields, team)}
${fields.check('includes_all_repositories', 'With all repositories')}
${fields.check('can_create_org_repo', 'They create repositories')}`
}

const checks = ['includes_all_repositories', 'can_create_org_repo']

export async function addTeam(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org } = await ownedBy(submitted)
  try {
    const whole = withChecks(form, checks)
    const wanted = readNewTeam(bindForm(CreateTeamOption, whole))
    const { name } = await createTeam(ctx, org, { ...wanted, rights: readLevels(form) })
    return saved(submitted, org, 'teams', name)
  } catch (error) {
    const problem = problemOf(error, explanations)
    return { page: await showTeams(submitted, { form, problem }), status: 422 }
  }
}

async function loadTeamOf(look: SignedInLook) {
  const { org } = await ownedBy(look)
  return { org, team: await loadTeamOfPath(look, org) }
}

interface TeamState {
  readonly members?: FormState
  readonly repositories?: FormState
  readonly rights?: FormState
  readonly renaming?: FormState
  readonly removal?: FormState
}

const nothingTyped: FormState = { form: new URLSearchParams() }

/** Who is in a team, and what they may do. */
export async function showTeam(look: SignedInLook, state: TeamState = {}): Promise<Page> {
  const { ctx, query, request } = look
  const { org, team } = await loadTeamOf(look)
  const path = (...parts: readonly string[]) => pathIn(look, org, 'teams', team.name, ...parts)
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await teamMembersOf(ctx, look.viewer, team, page)
  const rows = items.map((person) => ({
    title: personLink(ctx.config, person),
    about: person.fullName,
    action: renderLoss(
      path('members', 'delete'),
      {
        name: person.name,
        warning:
          'They lose what the team lets them do, and leave the organization if they are in no other team.',
      },
      { name: person.name },
    ),
  }))
  const fields = new FormFields(state.members ?? nothingTyped)
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
${await renderTeamRepositories(look, org, team, state.repositories ?? nothingTyped)}
${!isOwnersTeam(team) && renderTeamForms(look, path, team, state)}`
  return inSection(look, org, 'teams', content, team.name)
}

/** Owners may do everything, and are always there. */
function renderTeamForms(
  look: SignedInLook,
  path: (part: string) => string,
  team: Team,
  { rights, renaming, removal }: TeamState,
): Html {
  const fields = new FormFields(rights ?? { form: formOfTeam(team) })
  return html`
<h2>What they may do</h2>
<form class="sheet form" method="post" action="${path('rights')}">
${fields.complaint}
${renderRights(look, fields, team)}
<button class="button main" type="submit">Save</button>
</form>
${renderRenaming(path('rename'), new FormFields(renaming ?? { form: formOfValues({ new_name: team.name }) }))}
${renderRemoval(path('delete'), team, new FormFields(removal ?? nothingTyped))}`
}

function renderRenaming(path: string, fields: FormFields): Html {
  return html`
<h2>Rename</h2>
<form class="sheet form" method="post" action="${path}">
${fields.complaint}
${fields.text('new_name', 'New name')}
<button class="button main" type="submit">Rename</button>
</form>`
}

/** The problem of a name is that of the field in which it is typed here. */
export async function renameTeam(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org, team } = await loadTeamOf(submitted)
  try {
    const wanted = new URLSearchParams({ name: form.get('new_name') ?? '' })
    const { name } = bindForm(CreateTeamOption, wanted)
    const renamed = await editTeam(ctx, team, { name, rights: {} })
    return saved(submitted, org, 'teams', renamed.name)
  } catch (error) {
    const problem = problemOf(error, explanations)
    const renaming = { form, problem: { ...problem, field: 'new_name' } }
    return { page: await showTeam(submitted, { renaming }), status: 422 }
  }
}

function formOfTeam(team: Team): URLSearchParams {
  const about = formOfValues({
    description: team.description,
    visibility: team.visibility,
    includes_all_repositories: team.includesAllRepositories,
    can_create_org_repo: team.canCreateOrgRepo,
  })
  return new URLSearchParams([...about, ...formOfLevels(team)])
}

export async function saveRights(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org, team } = await loadTeamOf(submitted)
  try {
    const edit = readTeamEdit(bindForm(EditTeamOption, onlyProperties(form)))
    await editTeam(ctx, team, { ...edit, rights: readLevels(form, team) })
  } catch (error) {
    const rights = { form, problem: problemOf(error, explanations) }
    return { page: await showTeam(submitted, { rights }), status: 422 }
  }
  return saved(submitted, org, 'teams', team.name)
}

/** Its name stays. */
function onlyProperties(form: URLSearchParams): URLSearchParams {
  const names = ['description', 'visibility', ...checks]
  return new URLSearchParams([...withChecks(form, checks)].filter(([name]) => names.includes(name)))
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

export async function giveRepository(submitted: Submitted): Promise<Shown> {
  return changeRepositories(submitted, giveToTeam)
}

export async function takeRepository(submitted: Submitted): Promise<Shown> {
  return changeRepositories(submitted, takeFromTeam)
}

async function changeRepositories(submitted: Submitted, change: typeof giveToTeam): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const { org, team } = await loadTeamOf(submitted)
  const path = { owner: org.name, repo: (form.get('repo_name') ?? '').trim() }
  try {
    const { repo } = await loadVisible(ctx, viewer, path)
    if (repo.ownerId !== org.id) throw notFound()
    await change(ctx, team, repo)
  } catch (error) {
    if (!isNotFound(error) && !(error instanceof Moved)) throw error
    const problem = {
      field: 'repo_name',
      message: 'The organization has no repository of this name.',
    }
    return { page: await showTeam(submitted, { repositories: { form, problem } }), status: 422 }
  }
  return saved(submitted, org, 'teams', team.name)
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
    const members = { form, problem: personProblem(error, memberProblems) }
    return { page: await showTeam(submitted, { members }), status: 422 }
  }
  return saved(submitted, org, 'teams', team.name)
}

const memberProblems: Explanations = {
  is_blocked: { field: 'name', message: 'The organization has blocked them.' },
}

export async function dropTeam(submitted: Submitted): Promise<Shown> {
  const { org, team } = await loadTeamOf(submitted)
  if (submitted.form.get('delete_name') !== team.name) {
    const problem = { field: 'delete_name', message: 'This is not the name of the team.' }
    const removal = { form: submitted.form, problem }
    return { page: await showTeam(submitted, { removal }), status: 422 }
  }
  await removeTeam(submitted.ctx, team)
  return saved(submitted, org, 'teams')
}
