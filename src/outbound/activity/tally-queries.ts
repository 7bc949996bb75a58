import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import type { FeedFilter, SeenActors } from './queries.ts'

/** Of all days: few rows of a tally stand for however many activities. */
export async function countByTally(db: Executor, filter: FeedFilter): Promise<number> {
  const { of, actors } = filter
  if (of.column === 'account_id') return sum(ofActor(db, of.id, filter))
  const seen = await sum(ofPlace(db, filter))
  return actors?.ownId === undefined ? seen : seen + (await sum(ofOwn(db, filter, actors)))
}

async function sum(query: ReturnType<typeof ofActor> | ReturnType<typeof ofPlace>) {
  // PostgreSQL sums to a type that would reach us as text.
  const total = sql<number>`CAST(coalesce(sum(activities), 0) AS BIGINT)`.as('total')
  return (await (query as ReturnType<typeof ofActor>).select(total).executeTakeFirstOrThrow()).total
}

/** What one person did. */
function ofActor(db: Executor, accountId: number, filter: FeedFilter) {
  return db
    .selectFrom('actor_tally as activity')
    .where('account_id', '=', accountId)
    .where((eb) => isShown(eb as never, filter))
}

/** What happened in one repository or in all of an owner, by those who do not hide it. */
function ofPlace(db: Executor, filter: FeedFilter) {
  const query = db
    .selectFrom('activity_tally as activity')
    .where((eb) => isOfPlace(eb as never, filter))
    .where((eb) => isShown(eb as never, filter))
  return filter.actors ? query.where('actor_reach', '<=', reachOf(filter.actors)) : query
}

/** What they did themselves there, should they hide it from others. */
function ofOwn(db: Executor, filter: FeedFilter, actors: SeenActors) {
  return ofActor(db, actors.ownId ?? 0, filter)
    .where((eb) => isOfPlace(eb as never, filter))
    .where('actor_reach', '>', reachOf(actors))
}

function reachOf({ visible }: SeenActors): number {
  return visible.includes('limited') ? 1 : 0
}

function isOfPlace(
  eb: ExpressionBuilder<Schema, 'activity'>,
  { of }: Pick<FeedFilter, 'of'>,
): Expression<SqlBool> {
  if (of.column !== 'owner_id') return eb(`activity.${of.column}`, '=', of.id)
  return eb('activity.repository_id', 'in', (inner) =>
    inner.selectFrom('repository').select('repository.id').where('owner_id', '=', of.id),
  )
}

interface ShownFilter extends Pick<FeedFilter, 'onlyPublic' | 'teamId' | 'fits'> {
  /** Whether so many are shown that a walk through the index of the feed finds a page soon. */
  readonly inOrder?: boolean
}

/** Of an activity, or of all that a row of a tally stands for. */
export function isShown(
  eb: ExpressionBuilder<Schema, 'activity'>,
  { onlyPublic, teamId, fits, inOrder = false }: ShownFilter,
): Expression<SqlBool> {
  const ofTeam = inOrder ? isOfTeamAsked : isOfTeam
  return eb.and([
    ...(onlyPublic ? [eb('activity.is_private', '=', 0)] : []),
    ...(teamId === undefined ? [] : [ofTeam(eb, teamId)]),
    ...(fits ? [fits(eb)] : []),
  ])
}

function isOfTeam(eb: ExpressionBuilder<Schema, 'activity'>, teamId: number): Expression<SqlBool> {
  return eb('activity.repository_id', 'in', (inner) =>
    inner
      .selectFrom('team_repository')
      .select('team_repository.repository_id')
      .where('team_repository.team_id', '=', teamId),
  )
}

/**
 * Like `isOfTeam`, but asked for each entry, so that no plan begins with all entries of the team.
 */
function isOfTeamAsked(
  eb: ExpressionBuilder<Schema, 'activity'>,
  teamId: number,
): Expression<SqlBool> {
  const given = eb
    .selectFrom('team_repository')
    .select(sql<number>`1`.as('one'))
    .whereRef('team_repository.repository_id', '=', 'activity.repository_id')
    .where('team_repository.team_id', '=', teamId)
  return eb(given, 'is not', null)
}
