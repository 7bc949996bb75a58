import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

interface Count {
  /** The count, the rows it counts, and where it stands. */
  readonly column: 'stars_count' | 'watchers_count' | 'forks_count' | 'releases_count' | 'lfs_size'
  readonly real: ReturnType<typeof sql<number>>
}

const counts: readonly Count[] = [
  {
    column: 'stars_count',
    real: sql<number>`(SELECT count(*) FROM star WHERE star.repository_id = repository.id)`,
  },
  {
    column: 'watchers_count',
    real: sql<number>`(SELECT count(*) FROM watch WHERE watch.repository_id = repository.id)`,
  },
  {
    column: 'forks_count',
    real: sql<number>`(SELECT count(*) FROM repository AS fork WHERE fork.fork_of = repository.id)`,
  },
  {
    column: 'lfs_size',
    real: sql<number>`(
      SELECT coalesce(sum(size), 0) FROM lfs_object WHERE lfs_object.repository_id = repository.id)`,
  },
  {
    column: 'releases_count',
    real: sql<number>`(
      SELECT count(*) FROM release
      WHERE release.repository_id = repository.id AND is_tag = 0 AND is_draft = 0)`,
  },
]

export async function findCountDrift(db: Executor): Promise<readonly string[]> {
  const found: string[] = []
  for (const { column, real } of counts) {
    const rows = await db
      .selectFrom('repository')
      .select(['id', column, real.as('real')])
      .where(sql<boolean>`${sql.ref(column)} <> ${real}`)
      .orderBy('id')
      .execute()
    found.push(
      ...rows.map(
        (row) => `${column} of repository ${row.id} is ${row[column]}, should be ${row.real}`,
      ),
    )
  }
  return found
}

export async function mendCounts(db: Executor): Promise<void> {
  for (const { column, real } of counts) {
    await db
      .updateTable('repository')
      .set({ [column]: real })
      .where(sql<boolean>`${sql.ref(column)} <> ${real}`)
      .execute()
  }
}

const starred = sql<number>`(SELECT count(*) FROM star WHERE star.account_id = account.id)`
const used = sql<number>`(SELECT count(*) FROM repository_topic WHERE topic_id = topic.id)`

export async function findUseDrift(db: Executor): Promise<readonly string[]> {
  const people = await db
    .selectFrom('account')
    .select(['name', 'starred_repos_count', starred.as('real')])
    .where(sql<boolean>`starred_repos_count <> ${starred}`)
    .execute()
  const topics = await db
    .selectFrom('topic')
    .select(['name', 'repo_count', used.as('real')])
    .where(sql<boolean>`repo_count <> ${used}`)
    .execute()
  return [
    ...people.map((row) => `${row.name} has ${row.real} stars, counted ${row.starred_repos_count}`),
    ...topics.map(
      (row) => `the topic ${row.name} is used ${row.real} times, counted ${row.repo_count}`,
    ),
  ]
}

export async function mendUse(db: Executor): Promise<void> {
  await db.updateTable('account').set({ starred_repos_count: starred }).execute()
  await db.updateTable('topic').set({ repo_count: used }).execute()
}

export async function listFolders(db: Executor): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('repository').select(['id', 'folder']).execute()
  return new Map(rows.map(({ id, folder }) => [folder, id]))
}
