import type { Executor } from '../db/database.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'

/** The labels of these names that the caller may know of: in repositories that fit, or of who owns them. */
export async function findLabelsNamed(
  db: Executor,
  names: readonly string[],
  visible: RepositoryCondition,
): Promise<readonly number[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('label')
    .select('label.id')
    .where('label.name', 'in', names)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('repository')
          .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
          .select('repository.id')
          .where((inner) =>
            inner.or([
              inner('repository.id', '=', inner.ref('label.repository_id')),
              inner('repository.owner_id', '=', inner.ref('label.org_id')),
            ]),
          )
          .where((inner) => visible(inner as never)),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

export async function findMilestonesNamed(
  db: Executor,
  titles: readonly string[],
  visible: RepositoryCondition,
): Promise<readonly number[]> {
  if (titles.length === 0) return []
  const rows = await db
    .selectFrom('milestone')
    .innerJoin('repository', 'repository.id', 'milestone.repository_id')
    .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
    .select('milestone.id')
    .where('milestone.title', 'in', titles)
    .where((eb) => visible(eb as never))
    .execute()
  return rows.map(({ id }) => id)
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
