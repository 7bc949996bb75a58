import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { isNamed } from '../../platform/db/named.ts'
import { isOfFitting, type RepositoryCondition } from '../../repositories/repository/conditions.ts'
import { isOfOwnerWithAny } from './conditions.ts'

/**
 * Whether the caller may know of a label that has one of these names: in repositories that fit, or
 * of who owns them.
 */
export async function isLabelKnown(
  db: Executor,
  names: readonly string[],
  visible: RepositoryCondition,
): Promise<boolean> {
  if (names.length === 0) return false
  const row = await db
    .selectFrom('label')
    .select('label.id')
    .where(isNamed('label.name', names))
    .where((eb) =>
      eb.or([isOfFitting('label.repository_id', visible), isOfOwnerWithAny(visible)(eb)]),
    )
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

export async function isMilestoneKnown(
  db: Executor,
  titles: readonly string[],
  visible: RepositoryCondition,
): Promise<boolean> {
  if (titles.length === 0) return false
  const row = await db
    .selectFrom('milestone')
    .select('milestone.id')
    .where(isNamed('milestone.title', titles))
    .where(isOfFitting('milestone.repository_id', visible))
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

/** A team of an organization that somebody belongs to; without `memberId`, of any. */
export async function findTeamOf(
  db: Executor,
  orgId: number,
  name: string,
  memberId: number | undefined,
): Promise<number | undefined> {
  let query = db
    .selectFrom('team')
    .select('team.id')
    .where('team.org_id', '=', orgId)
    .where('team.lower_name', '=', name.toLowerCase())
  if (memberId !== undefined) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('organization_member')
          .select('organization_member.org_id')
          .whereRef('organization_member.org_id', '=', 'team.org_id')
          .where('organization_member.account_id', '=', memberId),
      ),
    )
  }
  return (await query.executeTakeFirst())?.id
}
