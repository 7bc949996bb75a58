import { sql } from 'kysely'
import type { Executor } from '../db/database.ts'
import { countRows, fetchOrderedPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'
import { toRepository, type Repository } from '../repositories/repository.ts'
import { orderKeys } from './order.ts'
import type { IdSet } from './sets.ts'
import type { Wanted } from './wanted.ts'

/** One statement for the page and one for the total, with permission inside both. */
export async function searchRepositories(
  db: Executor,
  wanted: Wanted,
  conditions: readonly RepositoryCondition[],
  page: Page,
  countAll: () => Promise<number>,
): Promise<PageOf<Repository>> {
  const query = matching(db, conditions).selectAll('repository')
  return mapPage(await fetchOrderedPage(query, orderKeys(wanted), page, countAll), toRepository)
}

export async function countMatching(
  db: Executor,
  conditions: readonly RepositoryCondition[],
): Promise<number> {
  return countRows(matching(db, conditions))
}

/** Conditions may look at the owner; a left join that none looks at is left out by both databases. */
export function matching(db: Executor, conditions: readonly RepositoryCondition[]) {
  let query = db
    .selectFrom('repository')
    .leftJoin('account as owner', 'owner.id', 'repository.owner_id')
  for (const condition of conditions) query = query.where(condition)
  return query
}

/** All repositories whose reach is at most `reach`, without looking at any of them. */
export async function countWithin(db: Executor, reach: number): Promise<number> {
  const row = await db
    .selectFrom('repository_tally')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('repositories'), sql<number>`0`).as('total'))
    .where('reach', '>=', 0)
    .where('reach', '<=', reach)
    .executeTakeFirstOrThrow()
  return row.total
}

/** Those of `ids` whose reach is more than `reach`. */
export async function countBeyond(db: Executor, ids: IdSet, reach: number): Promise<number> {
  const row = await db
    .selectFrom('repository')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(sql<boolean>`id IN (${ids})`)
    .where('reach', '>', reach)
    .executeTakeFirstOrThrow()
  return row.total
}
