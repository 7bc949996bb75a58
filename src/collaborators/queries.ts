import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { AccessLevel } from '../db/columns.ts'
import { toAccount, type Account } from '../users/account.ts'

export interface Collaborator {
  readonly person: Account
  readonly level: AccessLevel
}

/** By name. */
export async function listCollaborators(
  db: Executor,
  repositoryId: number,
  page: Page,
): Promise<PageOf<Collaborator>> {
  const query = db
    .selectFrom('collaboration')
    .innerJoin('account', 'account.id', 'collaboration.account_id')
    .selectAll('account')
    .select('collaboration.access as level')
    .where('collaboration.repository_id', '=', repositoryId)
    .orderBy('account.lower_name')
  return mapPage(await fetchPage(query, page), (row) => ({
    person: toAccount(row),
    level: row.level,
  }))
}

export async function isCollaborator(
  db: Executor,
  repositoryId: number,
  accountId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('collaboration')
    .select('account_id')
    .where('repository_id', '=', repositoryId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

/** People with at least one of `levels` on a repository: through collaboration, or through teams on one of `units`. */
export async function listPeopleWith(
  db: Executor,
  repository: { id: number; ownerId: number },
  {
    levels,
    units,
    unitLevels,
  }: {
    levels: readonly AccessLevel[]
    units: readonly string[]
    unitLevels: readonly AccessLevel[]
  },
): Promise<readonly Account[]> {
  const rows = await db
    .selectFrom('account')
    .selectAll('account')
    .where('account.kind', '=', 'person')
    .where((eb) =>
      eb.or([
        eb(
          'account.id',
          'in',
          eb
            .selectFrom('collaboration')
            .select('collaboration.account_id')
            .where('collaboration.repository_id', '=', repository.id)
            .where('collaboration.access', 'in', levels),
        ),
        eb(
          'account.id',
          'in',
          eb
            .selectFrom('team_member')
            .innerJoin('team', 'team.id', 'team_member.team_id')
            .leftJoin('team_unit', 'team_unit.team_id', 'team.id')
            .leftJoin('team_repository', 'team_repository.team_id', 'team.id')
            .select('team_member.account_id')
            .where('team.org_id', '=', repository.ownerId)
            .where((inner) =>
              inner.or([
                inner('team.includes_all_repositories', '=', 1),
                inner('team_repository.repository_id', '=', repository.id),
              ]),
            )
            .where((inner) =>
              inner.or([
                inner('team.access', 'in', ['admin', 'owner']),
                inner.and([
                  inner('team_unit.unit', 'in', units),
                  inner('team_unit.access', 'in', unitLevels),
                ]),
              ]),
            ),
        ),
      ]),
    )
    .orderBy(sql`account.lower_name`)
    .execute()
  return rows.map(toAccount)
}
