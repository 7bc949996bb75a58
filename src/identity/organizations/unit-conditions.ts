import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { lacksSecondFactor } from '../users/second-factor.ts'
import type { AccountCondition } from '../users/queries.ts'
import { isShownTo } from '../users/visibility.ts'
import type { UnitKey } from '../../platform/units.ts'

type Accounts = ExpressionBuilder<Schema, 'account'>

const READING = ['read', 'write', 'admin', 'owner'] as const
const WRITING = ['write', 'admin', 'owner'] as const

const isNobody: AccountCondition = () => sql<boolean>`1 = 0`

/**
 * Whose boards or packages, as the unit says, the caller sees: those of accounts that it sees,
 * unless it is in teams there and none of them has the unit.
 */
export function showsUnitTo(config: Config, caller: Caller, unit: UnitKey): AccountCondition {
  if (lacksSecondFactor({ config }, caller)) return isNobody
  const isSeen = isShownTo(config, caller)
  const { account } = caller
  if (!account || isSiteAdmin(caller)) return isSeen
  return (eb) =>
    eb.and([
      isSeen(eb),
      eb.or([eb.not(eb.exists(teamsOf(eb, account.id))), hasTeam(eb, account.id, unit, READING)]),
    ])
}

/** Whose the caller may change: its own, and those of organizations by a team that writes them. */
export function letsWriteUnit(config: Config, caller: Caller, unit: UnitKey): AccountCondition {
  const { account } = caller
  if (!account || lacksSecondFactor({ config }, caller)) return isNobody
  if (isSiteAdmin(caller)) return () => sql<boolean>`1 = 1`
  return (eb) => eb.or([eb('account.id', '=', account.id), hasTeam(eb, account.id, unit, WRITING)])
}

function teamsOf(eb: Accounts, memberId: number) {
  return eb
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select('team.id')
    .whereRef('team.org_id', '=', 'account.id')
    .where('team_member.account_id', '=', memberId)
}

/** Which has the unit at one of these levels. */
function hasTeam(
  eb: Accounts,
  memberId: number,
  unit: UnitKey,
  levels: readonly AccessLevel[],
): Expression<SqlBool> {
  return eb.exists(
    teamsOf(eb, memberId)
      .leftJoin('team_unit', (join) =>
        join.onRef('team_unit.team_id', '=', 'team.id').on('team_unit.unit', '=', unit),
      )
      .where((inner) =>
        inner.or([
          inner('team.access', 'in', ['admin', 'owner']),
          inner('team_unit.access', 'in', levels),
        ]),
      ),
  )
}
