import { sql } from 'kysely'
import type { Dialect, Executor } from '../../platform/db/database.ts'
import { statement, statementForRows } from '../../platform/db/statement.ts'

/** Makes these accounts watch, and counts them. */
const insertWatchRows = statementForRows<never>(
  `INSERT INTO watch (repository_id, account_id, created_at) VALUES (*)
  ON CONFLICT (repository_id, account_id) DO NOTHING`,
  '(?, ?, ?)',
)

export async function insertWatches(
  db: Executor,
  repositoryId: number,
  accountIds: readonly number[],
  now: number,
): Promise<void> {
  if (accountIds.length === 0) return
  await insertWatchRows(
    db,
    accountIds.map((id) => [repositoryId, id, now]),
  )
  await recountWatches(db, repositoryId)
}

const countWatchesAnew = statement<never>(`
  UPDATE repository
  SET watchers_count = (SELECT count(*) FROM watch WHERE watch.repository_id = repository.id)
  WHERE id = ?`)

async function recountWatches(db: Executor, repositoryId: number): Promise<void> {
  await countWatchesAnew(db, repositoryId)
}

/** Members of the teams that have every repository of an organization. */
export async function findWatchingMembers(db: Executor, orgId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team_member.account_id')
    .distinct()
    .where('team.org_id', '=', orgId)
    .where('team.includes_all_repositories', '=', 1)
    .execute()
  return rows.map(({ account_id: id }) => id)
}

export async function findOfVisibility(
  db: Executor,
  ids: readonly number[],
  isPrivate: boolean,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('repository')
    .select('id')
    .where('id', 'in', ids)
    .where('is_private', '=', isPrivate ? 1 : 0)
    .execute()
  return rows.map(({ id }) => id)
}

export interface AudienceSum {
  readonly repositories: number
  readonly stars: number
  readonly watches: number
}

/** Of those repositories that have this visibility. */
export async function sumAudience(
  db: Executor,
  ids: readonly number[],
  isPrivate: boolean,
): Promise<AudienceSum> {
  if (ids.length === 0) return { repositories: 0, stars: 0, watches: 0 }
  return db
    .selectFrom('repository')
    .select([
      sql<number>`CAST(count(*) AS bigint)`.as('repositories'),
      sql<number>`CAST(coalesce(sum(stars_count), 0) AS bigint)`.as('stars'),
      sql<number>`CAST(coalesce(sum(watchers_count), 0) AS bigint)`.as('watches'),
    ])
    .where('id', 'in', ids)
    .where('is_private', '=', isPrivate ? 1 : 0)
    .executeTakeFirstOrThrow()
}

/** Stars and watches go when a repository is made private. */
export async function deleteAudience(db: Executor, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('account')
    .from((eb) =>
      eb
        .selectFrom('star')
        .select((star) => ['star.account_id', star.fn.countAll().as('stars')])
        .where('star.repository_id', 'in', ids)
        .groupBy('star.account_id')
        .as('lost'),
    )
    .set({ starred_repos_count: sql`starred_repos_count - lost.stars` })
    .whereRef('account.id', '=', 'lost.account_id')
    .execute()
  await db.deleteFrom('star').where('repository_id', 'in', ids).execute()
  await db.deleteFrom('watch').where('repository_id', 'in', ids).execute()
  await db
    .updateTable('repository')
    .set({ stars_count: 0, watchers_count: 0 })
    .where('id', 'in', ids)
    .execute()
}

/** Takes the stars of a repository that goes out of the counts of those who gave them. */
export async function uncountStars(db: Executor, id: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ starred_repos_count: sql`starred_repos_count - 1` })
    .where('id', 'in', (eb) =>
      eb.selectFrom('star').select('account_id').where('repository_id', '=', id),
    )
    .execute()
}

/**
 * Deletes the stars and watches of an account that goes, and takes them out of the counts of
 * repositories.
 */
export async function deleteMarksOf(
  dialect: Dialect,
  tx: Executor,
  accountId: number,
): Promise<void> {
  await deleteMarks(dialect, tx, { mark: 'star', column: 'stars_count' }, accountId)
  await deleteMarks(dialect, tx, { mark: 'watch', column: 'watchers_count' }, accountId)
}

async function deleteMarks(
  dialect: Dialect,
  tx: Executor,
  { mark, column }: { mark: 'star' | 'watch'; column: 'stars_count' | 'watchers_count' },
  accountId: number,
): Promise<void> {
  const given = tx.selectFrom(mark).select('repository_id').where('account_id', '=', accountId)
  const oneLess = { [column]: sql`${sql.ref(column)} - 1` }
  const all = tx.deleteFrom(mark).where('account_id', '=', accountId)
  if (dialect === 'sqlite') {
    await tx.updateTable('repository').set(oneLess).where('id', 'in', given).execute()
    await all.execute()
    return
  }
  // Whoever takes one back at the same moment holds the repository first, too.
  await tx
    .selectFrom('repository')
    .select('id')
    .where('id', 'in', given)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await tx
    .with('gone', () => all.returning('repository_id'))
    .updateTable('repository')
    .set(oneLess)
    .where('id', 'in', (eb) => eb.selectFrom('gone').select('repository_id'))
    .execute()
}

export async function uncountTopics(db: Executor, id: number): Promise<void> {
  await db
    .updateTable('topic')
    .set({ repo_count: sql`repo_count - 1` })
    .where('id', 'in', (eb) =>
      eb.selectFrom('repository_topic').select('topic_id').where('repository_id', '=', id),
    )
    .execute()
}
