import { sql, type SqlBool } from 'kysely'
import type { Database, Dialect, Executor } from '../../platform/db/database.ts'
import { readPosition, writePosition, type OrderKey } from '../../platform/db/keyset.ts'
import { keyValues, limitTo, type Page } from '../../platform/db/page.ts'
import { onePlan } from '../../platform/db/planned-once.ts'
import {
  isByShown,
  selectShown,
  toActivities,
  type Activity,
  type ActivityCondition,
  type SeenActors,
} from './queries.ts'

export interface AroundFilter {
  readonly accountId: number
  readonly onlyPublic: boolean
  readonly actors: SeenActors | undefined
  readonly fits: ActivityCondition
}

export interface AroundPage {
  readonly items: readonly Activity[]
  /** The cursor of what came before these. */
  readonly older: string | undefined
}

const newestFirst: readonly OrderKey[] = [
  { by: sql`activity.created_at`, kind: 'number', direction: 'desc' },
  { by: sql`activity.id`, kind: 'number', direction: 'desc' },
]

/**
 * Of very many that are heard from, so many are looked at first: those with the latest news. Where
 * too little of that may be shown, more of them are.
 */
const STEPS = [64, 512, 4096]

/**
 * What others do in the repositories that somebody has or watches, and what those do whom they
 * follow.
 */
export async function listAround(
  db: Database,
  filter: AroundFilter,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Promise<AroundPage> {
  const page: Page = { number: 1, limit, offset: 0, cursor }
  const count = await countSources(db, filter.accountId)
  for (const most of STEPS) {
    const rows = await selectNewest(db, filter, page, most)
    if (count <= most || isBeforeRest(rows, limit)) return toPage(db, rows, limit)
  }
  return toPage(db, await selectNewest(db, filter, page), limit)
}

type SourceColumn = 'account_id' | 'repository_id' | 'owner_id'

/** Somebody or something that is heard from. */
interface Source {
  readonly column: SourceColumn
  readonly id: number
  readonly newest: number
}

type Rows = Awaited<ReturnType<typeof selectNewest>>

/** Whether all of a page is newer than whatever those have done that were not looked at. */
function isBeforeRest(rows: Rows, limit: number): boolean {
  const last = rows[limit - 1]
  return last !== undefined && rows.length > limit && last.created_at > last.newest_of_rest
}

async function toPage(db: Database, rows: Rows, limit: number): Promise<AroundPage> {
  return {
    items: await toActivities(db, rows.slice(0, limit)),
    older: rows.length > limit ? writePosition(newestFirst, rows[limit - 1]) : undefined,
  }
}

async function countSources(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom(sourcesOf(db, accountId).as('source'))
    .select(sql<number>`count(*)`.as('count'))
    .modifyEnd(onePlan)
    .executeTakeFirstOrThrow()
  return count
}

/** Who and what somebody hears from. */
function sourcesOf(db: Executor, accountId: number, { cursor = '' }: Partial<Page> = {}) {
  const columns = (column: SourceColumn, id: string) => [
    sql.lit(column).as('column'),
    sql.ref<number>(id).as('id'),
    newestOf(column, id, cursor).as('newest'),
  ]
  return db
    .selectFrom('follow')
    .where('follow.follower_id', '=', accountId)
    .select(columns('account_id', 'follow.followed_id'))
    .unionAll(
      db
        .selectFrom('watch')
        .where('watch.account_id', '=', accountId)
        .select(columns('repository_id', 'watch.repository_id')),
    )
    .unionAll(
      db
        .selectFrom('account')
        .where('account.id', '=', accountId)
        .select(columns('owner_id', 'account.id')),
    )
}

/**
 * When one of them was last heard of, whoever may know it: nothing that is shown of it is newer.
 */
function newestOf(column: SourceColumn, id: string, cursor: string) {
  const [before] = cursor === '' ? [] : readPosition(newestFirst, cursor)
  const upTo = before === undefined ? sql`` : sql`AND activity.created_at <= ${before}`
  return sql<number>`coalesce((SELECT activity.created_at FROM activity
    WHERE ${sql.ref(`activity.${column}`)} = ${sql.ref(id)} ${upTo}
    ORDER BY activity.created_at DESC LIMIT 1), 0)`
}

/** The newest of the `most` with the latest news, or of all: a page, and one more. */
async function selectNewest(db: Database, filter: AroundFilter, page: Page, most?: number) {
  const sources = sourcesOf(db, filter.accountId, page)
  const latest = most ? sources.orderBy('newest', 'desc').limit(sql.lit(most)) : sources
  const of = (column: SourceColumn) => ofSources(db, filter, page, column)
  const ids = db
    .with('source', () => latest)
    .selectFrom(of('account_id').union(of('repository_id')).union(of('owner_id')).as('newest'))
    .select(['newest.id', sql<number>`(SELECT min(newest) FROM source)`.as('newest_of_rest')])
    .orderBy('newest.created_at', 'desc')
    .orderBy('newest.id', 'desc')
    // Written out: of what it does not know to be few, SQLite would look all activities up in it.
    .limit(sql.lit(page.limit + 1))
  return selectShown(db, ids)
    .select(keyValues(newestFirst))
    .select(sql.ref<number>('shown.newest_of_rest').as('newest_of_rest'))
    .modifyEnd(onePlan)
    .execute()
}

/**
 * What they do where it is private is not told by following them, also to those who could read it.
 */
function ofSources(db: Database, filter: AroundFilter, page: Page, column: SourceColumn) {
  const onlyPublic = filter.onlyPublic || column === 'account_id'
  const shown = ofSource(db, { ...filter, onlyPublic }, page, column)
  return (
    db
      .withTables<{ source: Source }>()
      .selectFrom('source')
      // In this order: the other way round, SQLite would go through all activities.
      .crossJoin('activity as newest')
      .where(isAmong(db.dialect, shown))
      .where('source.column', '=', column)
      .select(['newest.id', 'newest.created_at'])
  )
}

/**
 * Of each one no more than a page, walked off the index of its feed: what lies behind cannot be
 * shown.
 */
function ofSource(
  db: Executor,
  { accountId, onlyPublic, actors, fits }: AroundFilter,
  page: Page,
  column: SourceColumn,
) {
  let query = db
    .selectFrom('activity')
    .select('activity.id')
    .where(`activity.${column}`, '=', sql.ref<number>('source.id'))
    .where('activity.account_id', '<>', accountId)
    .where(fits)
  if (onlyPublic) query = query.where('activity.is_private', '=', 0)
  if (actors) query = query.where((eb) => isByShown(eb, actors))
  return limitTo(query, newestFirst, page)
}

/**
 * Each database looks the few ids up in this form; in that of the other, PostgreSQL goes through
 * all activities.
 */
function isAmong(dialect: Dialect, ids: ReturnType<typeof ofSource>) {
  return dialect === 'sqlite'
    ? sql<SqlBool>`newest.id IN ${ids}`
    : sql<SqlBool>`newest.id = ANY(ARRAY${ids})`
}
