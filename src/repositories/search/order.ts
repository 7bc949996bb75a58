import { sql, type RawBuilder } from 'kysely'
import type { OrderKey } from '../../platform/db/keyset.ts'
import { rankOf } from './relevance.ts'
import type { Sort, Wanted } from './wanted.ts'

const columns: Record<Exclude<Sort, 'alpha' | 'relevance'>, RawBuilder<unknown>> = {
  created: sql.ref('repository.created_at'),
  updated: sql.ref('repository.updated_at'),
  size: sql`(repository.git_size + repository.lfs_size)`,
  git_size: sql.ref('repository.git_size'),
  lfs_size: sql.ref('repository.lfs_size'),
  stars: sql.ref('repository.stars_count'),
  forks: sql.ref('repository.forks_count'),
  id: sql.ref('repository.id'),
}
const name = sql.ref('repository.lower_name')
const id: OrderKey = { by: sql.ref('repository.id'), kind: 'number', direction: 'asc' }

const mostStarred: OrderKey = { by: columns.stars, kind: 'number', direction: 'desc' }
/** The order inside of one rank of relevance. */
export const keysInRank: readonly OrderKey[] = [mostStarred, id]

/** Ties are broken by id. */
export function orderKeys(wanted: Wanted): readonly OrderKey[] {
  const chosen = chosenKeys(wanted)
  return [...leadingKeys(wanted), ...chosen, ...(isUnique(wanted) ? [] : [id])]
}

function isUnique({ sort }: Wanted): boolean {
  return sort === 'id' || sort === 'alpha'
}

function leadingKeys({ priorityOwnerId, path, sort }: Wanted): readonly OrderKey[] {
  if (priorityOwnerId !== undefined) {
    const first = sql`CASE WHEN repository.owner_id = ${priorityOwnerId} THEN 0 ELSE 1 END`
    return [ascending(first), ascending(sql.ref('repository.owner_id'))]
  }
  if (!path || sort === 'relevance') return []
  return [ascending(sql`CASE WHEN repository.owner_name = ${path.owner} THEN 0 ELSE 1 END`)]
}

function chosenKeys({ sort, direction, ...wanted }: Wanted): readonly OrderKey[] {
  if (sort === undefined) return [{ by: name, kind: 'text', direction: 'asc' }]
  if (sort === 'relevance') return relevanceKeys(wanted)
  if (sort !== 'alpha') return [{ by: columns[sort], kind: 'number', direction }]
  return [sql.ref('repository.owner_name'), name].map((by) => ({ by, kind: 'text', direction }))
}

/**
 * The exact name, then names that begin with the word, then those that contain it, then the rest;
 * the most starred first.
 */
function relevanceKeys({ keywords, path }: Pick<Wanted, 'keywords' | 'path'>): readonly OrderKey[] {
  const words = path ? [path.name] : keywords
  return words.length === 0 ? [mostStarred] : [ascending(rankOf(words)), mostStarred]
}

/** The order by relevance, of repositories whose rank is known. */
export function rankKeys(rank: RawBuilder<unknown>): readonly OrderKey[] {
  return [ascending(rank), ...keysInRank]
}

function ascending(by: RawBuilder<unknown>): OrderKey {
  return { by, kind: 'number', direction: 'asc' }
}
