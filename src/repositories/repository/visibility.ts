import { sql, type Expression, type SqlBool } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import {
  isOfOrganization,
  isSharedWith,
  hasUnit,
  isThroughTeam,
  isUnitThroughTeam,
  type RepositoryBuilder,
  type RepositoryCondition,
} from './conditions.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'
import { isUnitAvailable } from './units.ts'
import { type UnitKey } from '../../platform/units.ts'

const isNone: RepositoryCondition = () => sql<boolean>`1 = 0`

/**
 * Which repositories the caller may see, as one condition: what `accessOf` says of a single one,
 * said of all.
 */
export function isVisibleRepository(config: Config, caller: Caller): RepositoryCondition {
  if (lacksSecondFactor({ config }, caller)) return isNone
  return (eb) => {
    if (!caller.account || caller.publicOnly) return isPublicOfPublic(eb)
    if (isSiteAdmin(caller)) return sql<boolean>`1 = 1`
    return eb.or([isPublicFor(eb, config, caller.account), isOwnOf(caller.account.id)(eb)])
  }
}

/**
 * Which repositories the caller may read one unit of: what `unitLevel` says of a single one, said
 * of all.
 */
export function isReadableUnit(config: Config, caller: Caller, unit: UnitKey): RepositoryCondition {
  if (!isUnitAvailable(config, unit) || lacksSecondFactor({ config }, caller)) return isNone
  return (eb) => eb.and([hasUnit(unit)(eb), isOpenFor(eb, config, caller, unit)])
}

function isOpenFor(
  eb: RepositoryBuilder,
  config: Config,
  caller: Caller,
  unit: UnitKey,
): Expression<SqlBool> {
  const { account } = caller
  if (!account || caller.publicOnly) return isPublicOfPublic(eb)
  if (isSiteAdmin(caller)) return sql<boolean>`1 = 1`
  return eb.or([
    isPublicFor(eb, config, account),
    eb('repository.owner_id', '=', account.id),
    isSharedWith(account.id)(eb),
    isUnitThroughTeam(account.id, unit)(eb),
  ])
}

/** What an anonymous caller may see. */
function isPublicOfPublic(eb: RepositoryBuilder): Expression<SqlBool> {
  return eb('repository.reach', '=', 0)
}

function isPublicFor(
  eb: RepositoryBuilder,
  config: Config,
  account: { id: number; isRestricted: boolean },
): Expression<SqlBool> {
  if (account.isRestricted) {
    return config.security.require_sign_in === 'true' ? sql<boolean>`1 = 0` : isPublicOfPublic(eb)
  }
  return eb.or([
    eb('repository.reach', '<=', 1),
    eb.and([eb('repository.reach', '=', 2), isOfOrganization(account.id)(eb)]),
  ])
}

function isOwnOf(accountId: number): RepositoryCondition {
  return (eb) =>
    eb.or([
      eb('repository.owner_id', '=', accountId),
      isSharedWith(accountId)(eb),
      isThroughTeam(accountId)(eb),
    ])
}
