import { notFound } from '../../platform/errors.ts'
import { readPage } from '../../platform/http/paging.ts'
import { loadSeen, type InTeam } from '../../identity/organizations/access.ts'
import { canAdminister, canReadTeam, canSeeMembers } from '../../identity/organizations/policy.ts'
import type { Team } from '../../identity/organizations/team.ts'
import { listTeamsFor, teamMembersOf } from '../../identity/organizations/teams.ts'
import { avatar } from '../avatar.ts'
import { renderRows } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { SignedInLook } from '../look.ts'
import { renderFound, renderSearch } from '../pages/explore.ts'
import { renderPager } from '../pages/pager.ts'
import { personLink } from '../person.ts'
import { searchPage } from '../repository-search.ts'
import { pathIn } from './section.ts'
import { inShell } from './shell.ts'
import { pathTo, renderTab } from './tabs.ts'
import { describeLevel, describeTeam, loadTeamOfPath } from './team.ts'

/** The teams that the viewer may read. */
export async function showTeams(look: SignedInLook): Promise<Page> {
  const { ctx, viewer, query, request } = look
  const seen = await loadSeen(ctx, viewer, look.param('org'))
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await listTeamsFor(ctx, seen, page)
  const rows = items.map((team) => ({
    title: html`<a href="${pathTo(look, seen.org, 'teams', team.name)}">${team.name}</a>`,
    about: describeTeam(team),
  }))
  const content = html`
<h2>Teams</h2>
<p class="lede">A team has people and repositories, and says what they may do there.</p>
${renderRows(rows, 'There is none that you may see.')}
${renderPager(ctx.config, request, page, total)}
${canAdminister(viewer, seen.standing) && html`<p><a class="button" href="${pathIn(look, seen.org, 'teams')}">Set up teams</a></p>`}`
  return inShell(look, seen, { tab: 'teams', title: 'Teams', content })
}

/** Who is in a team, which is for members of the organization; for others its repositories. */
export async function showTeam(look: SignedInLook): Promise<Page> {
  const entered = await enterTeam(look)
  if (!canSeeMembers(look.viewer, entered.standing)) return renderRepositories(look, entered)
  const { ctx, query, request } = look
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await teamMembersOf(ctx, look.viewer, entered.team, page)
  const rows = items.map((person) => ({
    title: html`${avatar(ctx.config, person, 24)} ${personLink(ctx.config, person)}`,
    about: person.fullName,
  }))
  const content = html`
${renderRows(rows, 'Nobody is in it yet.')}
${renderPager(ctx.config, request, page, total)}`
  return inTeam(look, entered, 'members', content)
}

export async function showTeamRepositories(look: SignedInLook): Promise<Page> {
  return renderRepositories(look, await enterTeam(look))
}

async function enterTeam(look: SignedInLook): Promise<InTeam> {
  const { ctx, viewer } = look
  const seen = await loadSeen(ctx, viewer, look.param('org'))
  const team = await loadTeamOfPath(look, seen.org)
  if (!canReadTeam(viewer, seen.standing, team)) throw notFound()
  return { ...seen, team }
}

/** Those of its repositories that the viewer sees. */
async function renderRepositories(look: SignedInLook, entered: InTeam): Promise<Page> {
  const { org, team } = entered
  const listed = await searchPage(look, { teamId: team.id })
  const path = pathTo(look, org, 'teams', team.name, 'repositories')
  const isEmpty = listed.total === 0 && listed.text === ''
  const nothing = isEmpty ? 'It has none that you may see.' : `Nothing fits “${listed.text}”.`
  const content = html`
${!isEmpty && renderSearch(look, path, listed)}
${listed.total === 0 ? html`<p class="sheet notice mute">${nothing}</p>` : renderFound(look, listed, { withOwner: false })}`
  return inTeam(look, entered, 'repositories', content)
}

type TeamTab = 'members' | 'repositories'

async function inTeam(
  look: SignedInLook,
  entered: InTeam,
  part: TeamTab,
  content: Html,
): Promise<Page> {
  const { caller, org, standing, team } = entered
  const path = pathTo(look, org, 'teams', team.name)
  const whole = html`
<h2>${team.name}</h2>
${team.description !== '' && html`<p class="lede">${team.description}</p>`}
<p class="mute">What they may do: ${describeLevel(team)}</p>
${renderUnits(team)}
${canAdminister(caller, standing) && html`<p><a class="button" href="${pathIn(look, org, 'teams', team.name)}">Set up this team</a></p>`}
<nav class="tabs" aria-label="Team">
${canSeeMembers(caller, standing) && renderTab(path, 'Members', part === 'members')}
${renderTab(`${path}/repositories`, 'Repositories', part === 'repositories')}
</nav>
${content}`
  return inShell(look, entered, { tab: 'teams', title: `${team.name} · Teams`, content: whole })
}

/** Where each unit has a level of its own. */
function renderUnits({ access, units }: Team): Part {
  if (access !== 'none') return undefined
  const item = ([unit, level]: [string, string]) =>
    html`<li>${unit.replace('repo.', '').replace('ext_', 'external ')}: ${level}</li>`
  return html`<ul class="plain mute">${[...units].map(item)}</ul>`
}
