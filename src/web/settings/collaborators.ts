import {
  addCollaborator,
  collaboratorsOf,
  loadNamed,
  removeCollaborator,
} from '../../repositories/collaborators/collaborate.ts'
import { readPage } from '../../platform/http/paging.ts'
import { loadStanding, loadTeams } from '../../identity/organizations/load.ts'
import { canReadTeam } from '../../identity/organizations/policy.ts'
import type { Team } from '../../identity/organizations/team.ts'
import {
  addTeam,
  assertMayChangeTeams,
  dropTeam,
  mayChangeTeams,
  teamsOf,
} from '../../repositories/team-repositories/teams.ts'
import {
  asChoices,
  FormFields,
  renderChoices,
  type Choice,
  type FormState,
} from '../forms/fields.ts'
import { problemOf, type FormProblem } from '../forms/problem.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { inSection, saved } from './section.ts'

const levels: readonly Choice[] = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'admin', label: 'Administer' },
]

interface CollaboratorsState {
  readonly person?: FormState
  readonly team?: FormState
}

const nothingTyped: FormState = { form: new URLSearchParams({ permission: 'write' }) }

/** Who works on it beside its owner. */
export async function showCollaborators(
  visit: Visit,
  state: CollaboratorsState = {},
): Promise<InShell> {
  return inSection(
    visit,
    'collaboration',
    html`
<h2>Collaborators</h2>
<p class="lede">People who work on this repository, each with what they may do.</p>
${await renderPeople(visit)}
${renderNewPerson(visit, state.person ?? nothingTyped)}
${visit.view.owner.kind === 'organization' && (await renderTeams(visit, state.team ?? nothingTyped))}`,
  )
}

async function renderPeople(visit: Visit): Promise<Html> {
  const { ctx, view, query, request } = visit
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await collaboratorsOf(ctx, view.repo, page)
  const path = pathTo(visit, 'settings/collaboration')
  const rows = items.map(({ person, level }) => ({
    title: personLink(ctx.config, person),
    about: person.fullName,
    action: html`
<form method="post" action="${path}"><input type="hidden" name="name" value="${person.name}">
<select name="permission" aria-label="What ${person.name} may do">${renderChoices(levels, level)}</select>
<button class="button">Change</button></form>
${renderLoss(`${path}/delete`, { name: person.name, warning: 'They may no longer do here what only this let them do.' }, { name: person.name })}`,
  }))
  return html`${renderRows(rows, 'Nobody yet, beside the owner.')}${renderPager(ctx.config, request, page, total)}`
}

function renderNewPerson(visit: Visit, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/collaboration')}">
${fields.complaint}
${fields.text('name', 'Name')}
${fields.select('permission', 'What they may do', levels)}
<button class="button main" type="submit">Add</button>
</form>`
}

async function renderTeams(visit: Visit, state: FormState): Promise<Html> {
  const { ctx, viewer, view } = visit
  const path = pathTo(visit, 'settings/collaboration/teams')
  const teams = await teamsOf(ctx, view)
  const mayChange = await mayChangeTeams(ctx, viewer, view)
  const rows = teams.map(({ name, description, includesAllRepositories: hasAll }) => ({
    title: name,
    about: hasAll ? 'Has all repositories of the organization' : description,
    action:
      mayChange && !hasAll
        ? renderLoss(
            `${path}/delete`,
            { name, warning: 'Its members may no longer do here what only the team let them do.' },
            { team: name },
          )
        : undefined,
  }))
  const others = mayChange ? await otherTeams(visit, teams) : []
  return html`
<h2>Teams</h2>
${renderRows(rows, 'No team has it.')}
${
  others.length > 0 &&
  renderNewTeam(
    path,
    others.map(({ name }) => name),
    state,
  )
}`
}

/** Of which the viewer may know. */
async function otherTeams(
  { ctx, viewer, view }: Visit,
  given: readonly Team[],
): Promise<readonly Team[]> {
  const standing = await loadStanding(ctx, viewer, view.owner)
  const has = new Set(given.map(({ id }) => id))
  return (await loadTeams(ctx, view.owner.id)).filter(
    (team) => !has.has(team.id) && canReadTeam(viewer, standing, team),
  )
}

function renderNewTeam(path: string, names: readonly string[], state: FormState): Part {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${path}">
${fields.complaint}
${fields.select('team', 'Team', asChoices(names))}
<button class="button main" type="submit">Add team</button>
</form>`
}

/** Somebody new, or another level. */
export async function saveCollaborator(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  try {
    const person = await loadNamed(ctx, viewer, view.repo, form.get('name') ?? '')
    await addCollaborator(ctx, view, person, form.get('permission') ?? '')
  } catch (error) {
    return showCollaborators(submitted, { person: { form, problem: problemWith(error) } })
  }
  return saved(submitted, 'collaboration')
}

function problemWith(error: unknown): FormProblem {
  return problemOf(error, {
    is_blocked: { field: 'name', message: 'The owner has blocked them.' },
    user_missing: { field: 'name', message: 'There is nobody of this name.' },
    is_organization: { field: 'name', message: 'This is an organization, not a person.' },
    level_unknown: { field: 'permission', message: 'Choose one of those that are offered.' },
  })
}

export async function dropCollaborator(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  await removeCollaborator(
    ctx,
    view,
    await loadNamed(ctx, viewer, view.repo, form.get('name') ?? ''),
  )
  return saved(submitted, 'collaboration')
}

export async function saveTeam(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  await assertMayChangeTeams(ctx, viewer, view)
  try {
    await addTeam(ctx, view, form.get('team') ?? '')
  } catch (error) {
    return showCollaborators(submitted, { team: { form, problem: problemOf(error) } })
  }
  return saved(submitted, 'collaboration')
}

export async function removeTeam(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  await assertMayChangeTeams(ctx, viewer, view)
  await dropTeam(ctx, view, form.get('team') ?? '')
  return saved(submitted, 'collaboration')
}
