import type { Team } from '../../identity/organizations/team.ts'
import { listSeen } from '../../repositories/repository/list-seen.ts'
import type { Account } from '../../identity/users/account.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { SignedInLook } from '../look.ts'
import { pathIn } from './section.ts'
import { pathTo } from './tabs.ts'

const listed = { number: 1, limit: 100, offset: 0 }

const warning = 'The team may do nothing there any more.'

/** What a team has, unless it has all. */
export async function renderTeamRepositories(
  look: SignedInLook,
  org: Account,
  team: Team,
  state: FormState,
): Promise<Html> {
  if (team.includesAllRepositories) {
    return html`<h2>Repositories</h2><p class="sheet notice mute">The team has all repositories of the organization.</p>`
  }
  const { ctx, viewer } = look
  const filter = { teamId: team.id, order: 'name' } as const
  const { items, total } = await listSeen(ctx, viewer, filter, listed)
  const path = pathIn(look, org, 'teams', team.name, 'repositories')
  const rows = items.map(({ repo: { name } }) => ({
    title: name,
    about: '',
    action: renderLoss(`${path}/delete`, { name, warning }, { repo_name: name }),
  }))
  const fields = new FormFields(state)
  return html`
<h2>Repositories</h2>
${renderRows(rows, 'It has none yet.')}
${total > items.length && html`<p><a href="${pathTo(look, org, 'teams', team.name)}/repositories">All of them</a></p>`}
<form class="sheet form" method="post" action="${path}">
${fields.complaint}
${fields.text('repo_name', 'Name of a repository')}
<button class="button main" type="submit">Give to the team</button>
</form>`
}
