import { sql, type Expression, type SqlBool } from 'kysely'
import type { Config } from '../config/config.ts'
import { isSiteAdmin, type Caller } from '../context.ts'
import type { RepositoryCondition } from './queries.ts'

type Eb = Parameters<RepositoryCondition>[0]

/** Which repositories the caller may see, as one condition: what `accessOf` says of a single one, said of all. */
export function isVisibleRepository(config: Config, caller: Caller): RepositoryCondition {
  return (eb) => {
    if (caller.publicOnly) return isPublicOfPublic(eb)
    if (!caller.account) return isPublicOfPublic(eb)
    if (isSiteAdmin(caller)) return sql<boolean>`1 = 1`
    return eb.or([isPublicFor(eb, config, caller.account), isOwnOf(eb, caller.account.id)])
  }
}

/** What is the caller's own: owned, shared as a collaborator, or through a team. */
export function isOwnRepository(caller: Caller): RepositoryCondition {
  return (eb) => {
    const own = isOwnOf(eb, caller.account?.id ?? 0)
    return caller.publicOnly ? eb.and([own, isPublicOfPublic(eb)]) : own
  }
}

/** What an anonymous caller may see. */
export function isPublicOfPublic(eb: Eb): Expression<SqlBool> {
  return eb.and([eb('repository.is_private', '=', 0), eb('owner.visibility', '=', 'public')])
}

function isPublicFor(
  eb: Eb,
  config: Config,
  account: { id: number; isRestricted: boolean },
): Expression<SqlBool> {
  if (account.isRestricted) {
    return config.security.require_sign_in === 'true' ? sql<boolean>`1 = 0` : isPublicOfPublic(eb)
  }
  return eb.and([
    eb('repository.is_private', '=', 0),
    eb.or([
      eb('owner.visibility', 'in', ['public', 'limited']),
      eb.exists(
        eb
          .selectFrom('organization_member')
          .select('organization_member.org_id')
          .whereRef('organization_member.org_id', '=', 'repository.owner_id')
          .where('organization_member.account_id', '=', account.id),
      ),
    ]),
  ])
}

function isOwnOf(eb: Eb, accountId: number): Expression<SqlBool> {
  return eb.or([
    eb('repository.owner_id', '=', accountId),
    eb.exists(
      eb
        .selectFrom('collaboration')
        .select('collaboration.repository_id')
        .whereRef('collaboration.repository_id', '=', 'repository.id')
        .where('collaboration.account_id', '=', accountId),
    ),
    eb.exists(
      eb
        .selectFrom('team_member')
        .innerJoin('team', 'team.id', 'team_member.team_id')
        .leftJoin('team_repository', (join) =>
          join
            .onRef('team_repository.team_id', '=', 'team.id')
            .onRef('team_repository.repository_id', '=', 'repository.id'),
        )
        .select('team.id')
        .whereRef('team.org_id', '=', 'repository.owner_id')
        .where('team_member.account_id', '=', accountId)
        .where((inner) =>
          inner.or([
            inner('team.includes_all_repositories', '=', 1),
            inner('team_repository.team_id', 'is not', null),
          ]),
        ),
    ),
  ])
}
