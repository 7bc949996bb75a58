import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import type { Schema } from '../../platform/db/schema.ts'

type Accounts = ExpressionBuilder<Schema, 'account'>

/**
 * Which rows of `account` the caller may know about, as one condition: for single records and for
 * lists with their totals alike. A public-only token is not narrowed here; that refusal has a
 * status of its own.
 */
export function isVisibleTo(config: Config, caller: Caller) {
  return (eb: Accounts): Expression<SqlBool> => {
    const { account } = caller
    if (!account) return eb('account.visibility', '=', 'public')
    if (isSiteAdmin(caller) || account.isAdmin) return sql<boolean>`1 = 1`
    const shown = [eb('account.id', '=', account.id), isMember(eb, account.id)]
    if (account.isRestricted) {
      const hidden = config.security.require_sign_in === 'true'
      return eb.or(hidden ? shown : [...shown, eb('account.visibility', '=', 'public')])
    }
    return eb.or([
      ...shown,
      eb('account.visibility', 'in', ['public', 'limited']),
      follows(eb, account.id),
      sharesOrganization(eb, account.id),
    ])
  }
}

/** Like `isVisibleTo`, for lists: a public-only token leaves out who is not public. */
export function isShownTo(config: Config, caller: Caller) {
  if (caller.publicOnly) return (eb: Accounts) => eb('account.visibility', '=', 'public')
  return isVisibleTo(config, caller)
}

/** Like `isShownTo`, for searches, in which a restricted caller finds only itself. */
export function isListedFor(config: Config, caller: Caller) {
  const visible = isShownTo(config, caller)
  return (eb: Accounts): Expression<SqlBool> => {
    if (!caller.publicOnly && caller.account?.isRestricted && !caller.account.isAdmin) {
      return eb('account.id', '=', caller.account.id)
    }
    return visible(eb)
  }
}

/** An organization is known to its members. */
function isMember(eb: Accounts, callerId: number): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('organization_member as own')
      .select('own.org_id')
      .whereRef('own.org_id', '=', 'account.id')
      .where('own.account_id', '=', callerId),
  )
}

/** A private person is known to whom they follow. */
function follows(eb: Accounts, callerId: number): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('follow')
      .select('follow.followed_id')
      .whereRef('follow.follower_id', '=', 'account.id')
      .where('follow.followed_id', '=', callerId),
  )
}

/** A private person is known to fellow members of an organization. */
function sharesOrganization(eb: Accounts, callerId: number): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('organization_member as theirs')
      .innerJoin('organization_member as own', 'own.org_id', 'theirs.org_id')
      .select('theirs.org_id')
      .whereRef('theirs.account_id', '=', 'account.id')
      .where('own.account_id', '=', callerId),
  )
}
