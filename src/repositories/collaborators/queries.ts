import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import { toAccount, type Account } from '../../identity/users/account.ts'

export interface Collaborator {
  readonly person: Account
  readonly level: AccessLevel
}

/** By name. */
export async function listCollaborators(
  db: Executor,
  repositoryId: number,
  page: Page,
): Promise<PageOf<Collaborator>> {
  const query = db
    .selectFrom('collaboration')
    .innerJoin('account', 'account.id', 'collaboration.account_id')
    .selectAll('account')
    .select('collaboration.access as level')
    .where('collaboration.repository_id', '=', repositoryId)
    .orderBy('account.lower_name')
  return mapPage(await fetchPage(query, page), (row) => ({
    person: toAccount(row),
    level: row.level,
  }))
}

export async function isCollaborator(
  db: Executor,
  repositoryId: number,
  accountId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('collaboration')
    .select('account_id')
    .where('repository_id', '=', repositoryId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Which people of a repository are meant: those with one of `levels`, or in teams with one of
 * `unitLevels` on one of `units`.
 */
export interface WantedPeople {
  readonly levels: readonly AccessLevel[]
  readonly units: readonly string[]
  readonly unitLevels: readonly AccessLevel[]
}

interface OwnedRepository {
  readonly id: number
  readonly ownerId: number
}

export async function listPeopleWith(
  db: Executor,
  repository: OwnedRepository,
  wanted: WantedPeople,
): Promise<readonly Account[]> {
  const rows = await peopleWith(db, repository, wanted).selectAll('account').execute()
  return rows.map(toAccount)
}

/** Like `listPeopleWith`, where their names will do. */
export async function listNamesWith(
  db: Executor,
  repository: OwnedRepository,
  wanted: WantedPeople,
): Promise<readonly Pick<Account, 'id' | 'name'>[]> {
  return peopleWith(db, repository, wanted).select(['account.id', 'account.name']).execute()
}

/** Found from their side: asked one by one, all people there are would be. */
function peopleWith(db: Executor, repository: OwnedRepository, wanted: WantedPeople) {
  const collaborators = collaboratorsWith(db, repository, wanted)
  const ids = collaborators.union(membersOfTeamsWith(db, repository, wanted))
  return db
    .selectFrom('account')
    .where('account.kind', '=', 'person')
    .where('account.id', 'in', ids)
    .orderBy(sql`account.lower_name`)
}

function collaboratorsWith(db: Executor, { id }: OwnedRepository, { levels }: WantedPeople) {
  return db
    .selectFrom('collaboration')
    .select('collaboration.account_id')
    .where('collaboration.repository_id', '=', id)
    .where('collaboration.access', 'in', levels)
}

function membersOfTeamsWith(
  db: Executor,
  { id, ownerId }: OwnedRepository,
  { units, unitLevels }: WantedPeople,
) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .leftJoin('team_repository', (join) =>
      join
        .onRef('team_repository.team_id', '=', 'team.id')
        .on('team_repository.repository_id', '=', id),
    )
    .select('team_member.account_id')
    .where('team.org_id', '=', ownerId)
    .where((eb) =>
      eb.or([
        eb('team.includes_all_repositories', '=', 1),
        eb('team_repository.team_id', 'is not', null),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('team.access', 'in', ['admin', 'owner']),
        eb.exists(
          eb
            .selectFrom('team_unit')
            .select('team_unit.unit')
            .whereRef('team_unit.team_id', '=', 'team.id')
            .where('team_unit.unit', 'in', units)
            .where('team_unit.access', 'in', unitLevels),
        ),
      ]),
    )
}
