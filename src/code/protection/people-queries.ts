import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

export interface Named {
  readonly id: number
  readonly name: string
}

export async function findTeamsByName(
  db: Executor,
  orgId: number,
  lowerNames: readonly string[],
): Promise<readonly Named[]> {
  if (lowerNames.length === 0) return []
  return db
    .selectFrom('team')
    .select(['id', 'lower_name as name'])
    .where('org_id', '=', orgId)
    .where('lower_name', 'in', lowerNames)
    .execute()
}

export interface Owned {
  readonly id: number
  readonly ownerId: number
}

/** Those of `ids` who own the repository, collaborate on it, or are in a team that has it. */
export async function findPeopleWithAccess(
  db: Executor,
  repo: Owned,
  ids: readonly number[],
): Promise<readonly Named[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('account')
    .select(['account.id', 'account.name'])
    .where('account.id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb('account.id', '=', repo.ownerId),
        eb.exists(
          eb
            .selectFrom('collaboration')
            .select('collaboration.account_id')
            .whereRef('collaboration.account_id', '=', 'account.id')
            .where('collaboration.repository_id', '=', repo.id),
        ),
        eb.exists(
          eb
            .selectFrom('team_member')
            .innerJoin('team', 'team.id', 'team_member.team_id')
            .select('team.id')
            .whereRef('team_member.account_id', '=', 'account.id')
            .where((inner) => hasRepository(inner, repo)),
        ),
      ]),
    )
    .execute()
}

/** Those of `ids` that have the repository. */
export async function findTeamsWithAccess(
  db: Executor,
  repo: Owned,
  ids: readonly number[],
): Promise<readonly Named[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('team')
    .select(['team.id', 'team.name'])
    .where('team.id', 'in', ids)
    .where((eb) => hasRepository(eb, repo))
    .execute()
}

/** The teams through which people have the repository, by account. */
export async function findTeamsOf(
  db: Executor,
  repo: Owned,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select(['team.id', 'team_member.account_id as accountId'])
    .where('team_member.account_id', 'in', accountIds)
    .where((eb) => hasRepository(eb, repo))
    .execute()
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId)
  return new Map([...byAccount].map(([id, teams]) => [id, teams.map((team) => team.id)]))
}

/**
 * A team of the owner that was given the repository or has all, at a level that lets it do
 * anything.
 */
function hasRepository<T extends keyof Schema>(
  builder: ExpressionBuilder<Schema, T | 'team'>,
  { id, ownerId }: Owned,
): Expression<SqlBool> {
  const eb = builder as unknown as ExpressionBuilder<Schema, 'team'>
  const given = eb
    .selectFrom('team_repository')
    .select('team_repository.team_id')
    .whereRef('team_repository.team_id', '=', 'team.id')
    .where('team_repository.repository_id', '=', id)
  const units = eb
    .selectFrom('team_unit')
    .select('team_unit.team_id')
    .whereRef('team_unit.team_id', '=', 'team.id')
    .where('team_unit.access', '<>', 'none')
  return eb.and([
    eb('team.org_id', '=', ownerId),
    eb.or([eb('team.includes_all_repositories', '=', 1), eb.exists(given)]),
    eb.or([eb('team.access', '<>', 'none'), eb.exists(units)]),
  ])
}
