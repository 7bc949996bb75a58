import { sql, type ExpressionBuilder } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { teamHasRepository } from './conditions.ts'

/** What a team has and who is in it: all of that, or one repository, or one person. */
export interface TeamPairs {
  readonly teamId: number
  readonly repositoryId?: number
  readonly accountId?: number
}

function teamRepositories(db: Executor, { teamId, repositoryId }: TeamPairs) {
  const query = db
    .selectFrom('repository')
    .innerJoin('team', 'team.org_id', 'repository.owner_id')
    .where('team.id', '=', teamId)
    .where(teamHasRepository)
  return repositoryId === undefined ? query : query.where('repository.id', '=', repositoryId)
}

/**
 * Until the transaction ends nobody else counts who watches them. For PostgreSQL: SQLite has one
 * writer. Their keys stay free: whoever has just given one to a team refers to it, and two of these
 * would wait for each other.
 */
export async function holdTeamRepositories(db: Executor, pairs: TeamPairs): Promise<void> {
  await teamRepositories(db, pairs)
    .select('repository.id')
    .orderBy('repository.id')
    .forNoKeyUpdate('repository')
    .execute()
}

export async function insertTeamWatches(
  db: Executor,
  pairs: TeamPairs,
  now: number,
): Promise<void> {
  const all = teamRepositories(db, pairs)
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select((eb) => ['repository.id', 'team_member.account_id', eb.val(now).as('created_at')])
  const { accountId } = pairs
  const wanted = accountId === undefined ? all : all.where('team_member.account_id', '=', accountId)
  await db
    .insertInto('watch')
    .columns(['repository_id', 'account_id', 'created_at'])
    .expression(wanted)
    .onConflict((conflict) => conflict.columns(['repository_id', 'account_id']).doNothing())
    .execute()
}

export async function recountTeamWatches(db: Executor, pairs: TeamPairs): Promise<void> {
  await db
    .updateTable('repository')
    .set({
      watchers_count: sql`(SELECT count(*) FROM watch WHERE watch.repository_id = repository.id)`,
    })
    .where('id', 'in', teamRepositories(db, pairs).select('repository.id'))
    .execute()
}

/** In an organization: of all repositories and people, or of one. */
export interface LostPairs {
  readonly orgId: number
  readonly repositoryId?: number
  readonly accountId?: number
}

/** Ends the watches of those who see the repository no longer; its number for each of them. */
export async function deleteLostWatches(
  db: Executor,
  { orgId, repositoryId, accountId }: LostPairs,
): Promise<readonly number[]> {
  let query = db
    .deleteFrom('watch')
    .where('repository_id', 'in', (eb) =>
      eb.selectFrom('repository').select('id').where('owner_id', '=', orgId),
    )
    .where((eb) => eb.or([isOutOfPrivate(eb), isOutOfHiddenOwner(eb)]))
    .where((eb) => eb.not(eb.exists(collaborationOf(eb))))
    .where('account_id', 'not in', (eb) =>
      eb.selectFrom('account').select('id').where('is_admin', '=', 1),
    )
  if (repositoryId !== undefined) query = query.where('repository_id', '=', repositoryId)
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  const rows = await query.returning('repository_id').execute()
  return rows.map((row) => row.repository_id)
}

type OfWatch = ExpressionBuilder<Schema, 'watch'>

/** A private repository is for the teams that have it. */
function isOutOfPrivate(eb: OfWatch) {
  const repository = eb
    .selectFrom('repository')
    .select('repository.id')
    .whereRef('repository.id', '=', 'watch.repository_id')
    .where('repository.is_private', '=', 1)
  const team = eb
    .selectFrom('repository')
    .innerJoin('team', 'team.org_id', 'repository.owner_id')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .leftJoin('team_repository', (join) =>
      join
        .onRef('team_repository.team_id', '=', 'team.id')
        .onRef('team_repository.repository_id', '=', 'repository.id'),
    )
    .select('team.id')
    .whereRef('repository.id', '=', 'watch.repository_id')
    .whereRef('team_member.account_id', '=', 'watch.account_id')
    .where((has) =>
      has.or([
        has('team.includes_all_repositories', '=', 1),
        has('team_repository.team_id', 'is not', null),
      ]),
    )
  return eb.and([eb.exists(repository), eb.not(eb.exists(team))])
}

/** A public repository of a private organization is for its members. */
function isOutOfHiddenOwner(eb: OfWatch) {
  const owner = eb
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select('account.id')
    .whereRef('repository.id', '=', 'watch.repository_id')
    .where('account.visibility', '=', 'private')
  const member = eb
    .selectFrom('repository')
    .innerJoin('organization_member', 'organization_member.org_id', 'repository.owner_id')
    .select('organization_member.org_id')
    .whereRef('repository.id', '=', 'watch.repository_id')
    .whereRef('organization_member.account_id', '=', 'watch.account_id')
  return eb.and([eb.exists(owner), eb.not(eb.exists(member))])
}

function collaborationOf(eb: OfWatch) {
  return eb
    .selectFrom('collaboration')
    .select('collaboration.repository_id')
    .whereRef('collaboration.repository_id', '=', 'watch.repository_id')
    .whereRef('collaboration.account_id', '=', 'watch.account_id')
}

export async function takeFromWatches(
  db: Executor,
  repositoryIds: readonly number[],
  by: number,
): Promise<void> {
  await db
    .updateTable('repository')
    .set({ watchers_count: sql`watchers_count - ${by}` })
    .where('id', 'in', repositoryIds)
    .execute()
}
