import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors.ts'

/** More offers than anybody decides on at once. */
const MAX_OFFERS = 50

export async function findTransfer(
  db: Executor,
  repositoryId: number,
): Promise<Row<'repository_transfer'> | undefined> {
  return db
    .selectFrom('repository_transfer')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

/** What is offered to an account, or to an organization that it owns; the oldest first. */
export async function findOffersTo(db: Executor, accountId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('repository_transfer')
    .select('repository_id')
    .where((eb) =>
      eb.or([
        eb('recipient_id', '=', accountId),
        eb(
          'recipient_id',
          'in',
          eb
            .selectFrom('team')
            .innerJoin('team_member', 'team_member.team_id', 'team.id')
            .select('team.org_id')
            .where('team.access', '=', 'owner')
            .where('team_member.account_id', '=', accountId),
        ),
      ]),
    )
    .orderBy('created_at')
    .orderBy('repository_id')
    .limit(MAX_OFFERS)
    .execute()
  return rows.map(({ repository_id: id }) => id)
}

/** One offer at a time. */
export async function insertTransfer(
  db: Executor,
  row: NewRow<'repository_transfer'>,
): Promise<void> {
  try {
    await db.insertInto('repository_transfer').values(row).execute()
  } catch (error) {
    throw isDuplicate(error) ? offeredAlready(error) : error
  }
}

export function offeredAlready(cause?: unknown): AppError {
  return new AppError('conflict', 'repository is already being transferred', { cause })
}

/** Gives back the offer that there was. */
export async function deleteTransfer(
  db: Executor,
  repositoryId: number,
): Promise<Row<'repository_transfer'> | undefined> {
  return db
    .deleteFrom('repository_transfer')
    .where('repository_id', '=', repositoryId)
    .returningAll()
    .executeTakeFirst()
}

export async function findTeamOwners(
  db: Executor,
  teamIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (teamIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('team')
    .select(['id', 'org_id'])
    .where('id', 'in', teamIds)
    .execute()
  return new Map(rows.map(({ id, org_id: orgId }) => [id, orgId]))
}

/** Reads it from now on; false when the account collaborates already. */
export async function grantReading(
  db: Executor,
  repositoryId: number,
  accountId: number,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('collaboration')
    .values({ repository_id: repositoryId, account_id: accountId, access: 'read', created_at: now })
    .onConflict((conflict) => conflict.columns(['repository_id', 'account_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The teams of the new owner in place of those of the old one, as far as there are still such. */
export async function replaceTeams(
  db: Executor,
  repositoryId: number,
  { ownerId, teamIds }: { readonly ownerId: number; readonly teamIds: readonly number[] },
): Promise<void> {
  await db.deleteFrom('team_repository').where('repository_id', '=', repositoryId).execute()
  if (teamIds.length === 0) return
  await db
    .insertInto('team_repository')
    .columns(['team_id', 'repository_id'])
    .expression((eb) =>
      eb
        .selectFrom('team')
        .select(['team.id', eb.val(repositoryId).as('repository_id')])
        .where('team.org_id', '=', ownerId)
        .where('team.id', 'in', teamIds),
    )
    .execute()
}
