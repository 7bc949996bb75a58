import { notFound } from '../../platform/errors.ts'
import { loadTeams } from '../../identity/organizations/load.ts'
import type { Team } from '../../identity/organizations/team.ts'
import type { Account } from '../../identity/users/account.ts'
import type { Look } from '../look.ts'

/** The team of the path; whether it may be read is another question. */
export async function loadTeamOfPath({ ctx, param }: Look, { id }: Account): Promise<Team> {
  const name = param('team').toLowerCase()
  const team = (await loadTeams(ctx, id)).find((one) => one.name.toLowerCase() === name)
  if (!team) throw notFound()
  return team
}

export function describeTeam(team: Team): string {
  return [describeLevel(team), ...(team.description === '' ? [] : [team.description])].join(' · ')
}

export function describeLevel({ access, includesAllRepositories: hasAll }: Team): string {
  const level = access === 'none' ? 'differs by unit' : access
  return hasAll ? `${level} · all repositories` : level
}
