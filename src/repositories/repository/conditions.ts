import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from 'kysely'
import type { Schema } from '../../platform/db/schema.ts'
import type { UnitKey } from '../../platform/units.ts'

/** A condition on `repository`. */
export type RepositoryCondition = (eb: RepositoryBuilder) => Expression<SqlBool>

export type RepositoryBuilder = ExpressionBuilder<Schema, 'repository'>

/** Where `team` is one of the owner of `repository`: whether it has it. */
export const teamHasRepository = sql<SqlBool>`(
  team.includes_all_repositories = 1 OR EXISTS (
    SELECT 1 FROM team_repository
    WHERE team_repository.team_id = team.id AND team_repository.repository_id = repository.id))`

/**
 * The repositories that a team has: given to it, or all of its organization. The team is looked up
 * once.
 */
export function isOfTeam(teamId: number): RepositoryCondition {
  return () => sql<SqlBool>`(
    repository.owner_id = (SELECT team.org_id FROM team WHERE team.id = ${teamId})
    AND ((SELECT team.includes_all_repositories FROM team WHERE team.id = ${teamId}) = 1
      OR EXISTS (
        SELECT 1 FROM team_repository
        WHERE team_repository.team_id = ${teamId} AND team_repository.repository_id = repository.id)))`
}

/** Those that somebody collaborates on by name. */
export function isSharedWith(accountId: number): RepositoryCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('collaboration')
        .select('collaboration.repository_id')
        .whereRef('collaboration.repository_id', '=', 'repository.id')
        .where('collaboration.account_id', '=', accountId),
    )
}

/** Those that somebody has through a team. */
export function isThroughTeam(accountId: number): RepositoryCondition {
  return () =>
    isThroughAny(sql`FROM team_member
    INNER JOIN team ON team.id = team_member.team_id
    WHERE team_member.account_id = ${accountId}`)
}

/** Those of which somebody has one unit, through a team. */
export function isUnitThroughTeam(accountId: number, unit: UnitKey): RepositoryCondition {
  return () =>
    isThroughAny(sql`FROM team_member
    INNER JOIN team ON team.id = team_member.team_id
    LEFT JOIN team_unit ON team_unit.team_id = team.id AND team_unit.unit = ${unit}
    WHERE team_member.account_id = ${accountId}
      AND (team.access IN ('admin', 'owner') OR team_unit.access IN ('read', 'write', 'admin', 'owner'))`)
}

/**
 * The teams are read once, and a repository is asked which it was given to. Asked for each of
 * somebody's teams, or of the organization's, a list of thousands took seconds: the plus keeps
 * SQLite from it.
 */
function isThroughAny(teams: RawBuilder<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`(
    repository.owner_id IN (SELECT team.org_id ${teams} AND team.includes_all_repositories = 1)
    OR EXISTS (
      SELECT 1 FROM team_repository
      WHERE team_repository.repository_id = repository.id
        AND (+team_repository.team_id, repository.owner_id) IN (SELECT team.id, team.org_id ${teams})))`
}

/** Those in which a unit is switched on. */
export function hasUnit(unit: UnitKey): RepositoryCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('repository_unit')
        .select('repository_unit.unit')
        .whereRef('repository_unit.repository_id', '=', 'repository.id')
        .where('repository_unit.unit', '=', unit),
    )
}

/**
 * Those of organizations that somebody belongs to; with `onlyHidden`, without showing it to
 * everybody.
 */
export function isOfOrganization(
  accountId: number,
  { onlyHidden = false }: { readonly onlyHidden?: boolean } = {},
): RepositoryCondition {
  return (eb) => {
    const memberships = eb
      .selectFrom('organization_member')
      .select('organization_member.org_id')
      .whereRef('organization_member.org_id', '=', 'repository.owner_id')
      .where('organization_member.account_id', '=', accountId)
    return eb.exists(
      onlyHidden ? memberships.where('organization_member.is_public', '=', 0) : memberships,
    )
  }
}

type Placed = 'activity' | 'issue' | 'label' | 'milestone' | 'notification'

/**
 * Whether the repository that `place` names fits. Asked for each row that is looked at: as `IN` or
 * `EXISTS`, all repositories might be gone through first. The owner is not looked at: `reach` says
 * what its visibility means.
 */
export function isOfFitting(
  place: `${Placed}.repository_id`,
  fits: RepositoryCondition,
): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, Placed>()
  const fitting = eb
    .selectFrom('repository')
    .select(sql<number>`1`.as('one'))
    .whereRef('repository.id', '=', place)
    .where((inner) => fits(inner as never))
  // PostgreSQL takes this to be so of nearly all, and walks the index; `= 1` it would take to be
  // rare, and sort.
  return eb(fitting, 'is not', null)
}
