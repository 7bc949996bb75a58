import type { Executor } from '../../platform/db/database.ts'

/** False when the team had it already. */
export async function insertTeamRepository(
  db: Executor,
  teamId: number,
  repositoryId: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('team_repository')
    .values({ team_id: teamId, repository_id: repositoryId })
    .onConflict((conflict) => conflict.columns(['team_id', 'repository_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False when the team did not have it. */
export async function deleteTeamRepository(
  db: Executor,
  teamId: number,
  repositoryId: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('team_repository')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The ids of the teams that were given a repository. */
export async function findGivenTeams(
  db: Executor,
  repositoryId: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('team_repository')
    .select('team_id')
    .where('repository_id', '=', repositoryId)
    .execute()
  return new Set(rows.map(({ team_id: id }) => id))
}
