import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Database, Executor } from '../../platform/db/database.ts'
import {
  isBeyond,
  keyAlias,
  readPosition,
  type OrderKey,
  type Position,
} from '../../platform/db/keyset.ts'
import { onePlan } from '../../platform/db/planned-once.ts'
import {
  countRows,
  fetchOrderedPage,
  keyValues,
  limitTo,
  mapPage,
  toPage,
  totalAside,
  type Page,
  type PageOf,
} from '../../platform/db/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { RepositoryCondition } from '../repository/conditions.ts'
import { toRepository, type Repository } from '../repository/repository.ts'
import { fromText, idsWithTopicLike, isInText } from './keywords.ts'
import { keysInRank, orderKeys, rankKeys } from './order.ts'
import type { Step } from './relevance.ts'
import type { Wanted } from './wanted.ts'

export interface PageConditions {
  readonly conditions: readonly RepositoryCondition[]
  /** Whether the way to the page is the same whatever is asked for. */
  readonly hasOnePlan: boolean
}

/** One statement for the page and one for the total, with permission inside both. */
export async function searchRepositories(
  db: Executor,
  wanted: Wanted,
  { conditions, hasOnePlan }: PageConditions,
  page: Page,
  countAll: () => Promise<number>,
): Promise<PageOf<Repository>> {
  const keys = orderKeys(wanted)
  const query = pageQuery(db, conditions, keys, page)
  const rows = await (hasOnePlan ? query.modifyEnd(onePlan) : query).execute()
  return mapPage(await toPage(rows, keys, page, countAll), toRepository)
}

/**
 * First ids alone, and what they are ordered by: an index has that, and no row is fetched that is
 * only passed.
 */
export function pageQuery(
  db: Executor,
  conditions: readonly RepositoryCondition[],
  keys: readonly OrderKey[],
  page: Page,
) {
  const ids = matching(db, conditions).select('repository.id').select(keyValues(keys))
  const values = keys.map((_key, place) => sql.ref(`found.${keyAlias(place)}`))
  let query = db
    .selectFrom(limitTo(ids, keys, page).as('found'))
    .innerJoin('repository', 'repository.id', 'found.id')
    .selectAll('repository')
    .select(values.map((value, place) => value.as(keyAlias(place))))
  for (const [place, value] of values.entries()) {
    query = query.orderBy(value, keys[place]?.direction)
  }
  return query
}

/**
 * Like `searchRepositories`, by rank: each is looked at only if those before it leave room on the
 * page.
 */
export async function searchByRank(
  db: Database,
  steps: readonly Step[],
  page: Page,
  countAll: () => Promise<number>,
): Promise<PageOf<Repository>> {
  const ranked = rankedIds(db, steps, page)
  const query = db
    .selectFrom('repository')
    .innerJoin(ranked.as('ranked'), 'ranked.id', 'repository.id')
    .selectAll('repository')
  return mapPage(await fetchOrderedPage(query, byRank, page, countAll), toRepository)
}

const byRank = rankKeys(sql.ref('ranked.rank'))

/** A cursor may stand behind all steps. */
const noRank = sql`no_rank (id, rank) AS (SELECT 0, 0 WHERE 1 = 0)`

/** Ids with their rank, from the cursor on: one common table for each step. */
function rankedIds(db: Database, steps: readonly Step[], page: Page) {
  const enough = page.cursor === undefined ? page.offset + page.limit : page.limit + 1
  const position = page.cursor ? readPosition(byRank, page.cursor) : []
  const wanted = stepsBeyond(steps, position)
  const names = wanted.map(({ rank }) => sql.ref(`rank_${rank}`))
  const tables = wanted.map(({ rank, step }, place) => {
    const query = rankQuery(db, step, rank, enough, names.slice(0, place))
    return sql`${names[place]} AS MATERIALIZED ${query}`
  })
  const parts = [sql.ref('no_rank'), ...names].map((name) => sql`SELECT id, rank FROM ${name}`)
  return sql<{ id: number; rank: number }>`(
    WITH ${sql.join([noRank, ...tables])} ${sql.join(parts, sql` UNION ALL `)})`
}

function stepsBeyond(steps: readonly Step[], position: Position) {
  const [first = 0, ...rest] = position
  const inFirst = rest.length === 0 ? [] : [() => isBeyond(keysInRank, rest)]
  return steps
    .map((step, rank) => ({ rank, step: rank === first ? [...step, ...inFirst] : step }))
    .filter(({ rank }) => rank >= Number(first))
}

function rankQuery(
  db: Database,
  step: Step,
  rank: number,
  enough: number,
  before: readonly RawBuilder<unknown>[],
) {
  const counts = before.map((name) => sql` + (SELECT count(*) FROM ${name})`)
  const isNeeded = sql<SqlBool>`0${sql.join(counts, sql``)} < ${enough}`
  let query = matching(db, step).select(['repository.id', sql.lit(rank).as('rank')])
  for (const { by, direction } of keysInRank) query = query.orderBy(by, direction)
  // Each leaves out a step that is not needed: PostgreSQL by its condition, SQLite by its limit.
  return db.dialect === 'postgres'
    ? query.where(isNeeded).limit(enough)
    : query.limit(sql<number>`CASE WHEN ${isNeeded} THEN ${enough} ELSE 0 END`)
}

export async function countMatching(
  db: Executor,
  conditions: readonly RepositoryCondition[],
): Promise<number> {
  return countRows(matching(db, conditions))
}

/** Like `countMatching`, where there may be very many: nobody else waits for it. */
export async function countMany(
  db: Database,
  conditions: readonly RepositoryCondition[],
): Promise<number> {
  return totalAside(db, matching(db, conditions).select(sql<number>`count(*)`.as('total')))
}

/** Without the owner: for the sake of a join PostgreSQL would fetch each row that it passes. */
function matching(db: Executor, conditions: readonly RepositoryCondition[]) {
  let query = db.selectFrom('repository')
  for (const condition of conditions) {
    query = query.where(condition)
  }
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

/**
 * Those that all may see up to `reach` in which a word is, where the text index of SQLite knows
 * them all.
 */
export async function countWorded(
  db: Database,
  wanted: Wanted,
  reach: number,
  inTopics: boolean,
): Promise<number> {
  const reaches = [0, 1, 2, 3].filter((one) => one <= reach)
  const { keywords, includeDescription } = wanted
  const texts = includeDescription ? (['name', 'description'] as const) : (['name'] as const)
  const onlyInTopics = sql` + (SELECT count(*) FROM repository
    WHERE id IN (${idsWithTopicLike(keywords)}) AND reach <= ${reach} AND NOT ${isInText(wanted)})`
  const { inIndex, late } = fromText(keywords, texts, reaches)
  const inText = sql`(SELECT count(*) ${inIndex}) + (SELECT count(*) ${late})`
  const counted = sql<number>`${inText}${inTopics ? onlyInTopics : sql``}`
  return totalAside(db, db.selectNoFrom(counted.as('total')))
}

/** A commit of so many holds everything else for a few milliseconds. */
const LATE_AT_ONCE = 100

/**
 * Brings the text index of SQLite up to date with some of those that it does not know yet: whether
 * there may be more.
 */
export async function indexSomeTexts(db: Database): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const late = await findLate(tx)
    const last = late.at(-1)
    if (last === undefined) return false
    await indexUpTo(tx, last.id)
    await forgetUpTo(tx, last.id)
    return late.length === LATE_AT_ONCE
  })
}

const findLate = statement<{ id: number }>(
  `SELECT id FROM repository_text_late ORDER BY id LIMIT ${LATE_AT_ONCE}`,
)

/**
 * A text stands in the column of its reach: how many of those that all may see have a word, the
 * index says alone.
 */
const indexUpTo = statement(`
  INSERT OR REPLACE INTO repository_text (rowid, name_0, name_1, name_2, name_3,
    description_0, description_1, description_2, description_3)
  SELECT id, iif(reach = 0, lower_name, NULL), iif(reach = 1, lower_name, NULL),
    iif(reach = 2, lower_name, NULL), iif(reach = 3, lower_name, NULL),
    iif(reach = 0, lower_description, NULL), iif(reach = 1, lower_description, NULL),
    iif(reach = 2, lower_description, NULL), iif(reach = 3, lower_description, NULL)
  FROM repository WHERE id IN (SELECT id FROM repository_text_late WHERE id <= ?)`)

const forgetUpTo = statement('DELETE FROM repository_text_late WHERE id <= ?')
