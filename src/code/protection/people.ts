import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { findPeopleByName } from '../../identity/users/load.ts'
import {
  findPeopleWithAccess,
  findTeamsByName,
  findTeamsWithAccess,
  type Named,
  type Owned,
} from './people-queries.ts'

/** People and teams as a caller lists them. */
export interface NameLists {
  readonly usernames?: readonly string[] | undefined
  readonly teams?: readonly string[] | undefined
}

/** From a name in lower case to its id. */
export interface Ids {
  readonly people: ReadonlyMap<string, number>
  readonly teams: ReadonlyMap<string, number>
}

/** The ids of all names in `lists`; one that nobody has is refused. */
export async function findIds(
  ctx: Context,
  { ownerId }: Owned,
  lists: readonly NameLists[],
): Promise<Ids> {
  const usernames = lists.flatMap((list) => list.usernames ?? [])
  const teamNames = lists.flatMap((list) => list.teams ?? [])
  const accounts = await findPeopleByName(ctx.db, usernames)
  const people = new Map([...accounts].map(([name, { id }]) => [name, id]))
  const teams = byName(await findTeamsByName(ctx.db, ownerId, lowered(teamNames)))
  const stranger = usernames.find((name) => !people.has(name.toLowerCase()))
  if (stranger !== undefined)
    throw invalid(`user does not exist [uid: 0, name: ${stranger}]`, {
      reason: 'user_missing',
      subject: stranger,
    })
  const unknown = teamNames.find((name) => !teams.has(name.toLowerCase()))
  if (unknown !== undefined) {
    throw invalid(`team does not exist [org_id ${ownerId}, team_id 0, name: ${unknown}]`, {
      reason: 'team_missing',
      subject: unknown,
    })
  }
  return { people, teams }
}

/** In the order of the names, each once; absent names leave the list as it is. */
export function idsOf(
  names: readonly string[] | undefined,
  ids: ReadonlyMap<string, number>,
): readonly number[] | undefined {
  if (names === undefined) return undefined
  return [...new Set(names.flatMap((name) => ids.get(name.toLowerCase()) ?? []))]
}

/**
 * The names under which people and teams are shown: of those alone who have access to the
 * repository.
 */
export interface ShownNames {
  readonly people: ReadonlyMap<number, string>
  readonly teams: ReadonlyMap<number, string>
}

interface IdLists {
  readonly accountIds: readonly number[]
  readonly teamIds: readonly number[]
}

/** For any number of rules, in two statements. */
export async function findShownNames(
  ctx: Context,
  repo: Owned,
  lists: readonly IdLists[],
): Promise<ShownNames> {
  const accountIds = [...new Set(lists.flatMap((list) => list.accountIds))]
  const teamIds = [...new Set(lists.flatMap((list) => list.teamIds))]
  return {
    people: byId(await findPeopleWithAccess(ctx.db, repo, accountIds)),
    teams: byId(await findTeamsWithAccess(ctx.db, repo, teamIds)),
  }
}

/** In the order of the ids. */
export function namesOf(ids: readonly number[], names: ReadonlyMap<number, string>): string[] {
  return ids.flatMap((id) => names.get(id) ?? [])
}

function lowered(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

function byName(found: readonly Named[]): ReadonlyMap<string, number> {
  return new Map(found.map(({ id, name }) => [name, id]))
}

function byId(found: readonly Named[]): ReadonlyMap<number, string> {
  return new Map(found.map(({ id, name }) => [id, name]))
}
