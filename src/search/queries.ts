import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'
import { toRepository, type Repository } from '../repositories/repository.ts'
import type { Sort, Wanted } from './wanted.ts'

interface OrderKey {
  readonly by: RawBuilder<unknown>
  readonly direction: 'asc' | 'desc'
}

const columns: Record<Exclude<Sort, 'alpha'>, RawBuilder<unknown>> = {
  created: sql.ref('repository.created_at'),
  updated: sql.ref('repository.updated_at'),
  size: sql`repository.git_size + repository.lfs_size`,
  git_size: sql.ref('repository.git_size'),
  lfs_size: sql.ref('repository.lfs_size'),
  stars: sql.ref('repository.stars_count'),
  forks: sql.ref('repository.forks_count'),
  id: sql.ref('repository.id'),
}

/** One statement for the page and one for the total, with permission inside both. Ties are broken by id. */
export async function searchRepositories(
  db: Executor,
  wanted: Wanted,
  conditions: readonly RepositoryCondition[],
  page: Page,
): Promise<PageOf<Repository>> {
  let query = db
    .selectFrom('repository')
    .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
    .selectAll('repository')
  for (const condition of conditions) query = query.where(condition)
  for (const { by, direction } of [...leadingKeys(wanted), ...chosenKeys(wanted)]) {
    query = query.orderBy(by, direction)
  }
  return mapPage(await fetchPage(query.orderBy('repository.id'), page), toRepository)
}

function leadingKeys({ priorityOwnerId, path }: Wanted): readonly OrderKey[] {
  if (priorityOwnerId !== undefined) {
    const first = sql`CASE WHEN repository.owner_id = ${priorityOwnerId} THEN 0 ELSE 1 END`
    return [first, sql.ref('repository.owner_id')].map((by) => ({ by, direction: 'asc' }))
  }
  if (!path) return []
  return [
    { by: sql`CASE WHEN owner.lower_name = ${path.owner} THEN 0 ELSE 1 END`, direction: 'asc' },
  ]
}

function chosenKeys({ sort, direction }: Wanted): readonly OrderKey[] {
  if (sort === undefined) return [{ by: sql.ref('repository.lower_name'), direction: 'asc' }]
  if (sort !== 'alpha') return [{ by: columns[sort], direction }]
  return ['owner.lower_name', 'repository.lower_name'].map((name) => ({
    by: sql.ref(name),
    direction,
  }))
}
