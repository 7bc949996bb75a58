import { sql, type SqlBool } from 'kysely'
import type { Database, Dialect, Executor } from '../db/database.ts'
import { writePosition, type OrderKey } from '../db/keyset.ts'
import { keyValues, limitTo, type Page } from '../db/page.ts'
import {
  isByShown,
  selectShown,
  toActivity,
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

/** What others do in the repositories that somebody has or watches, and what those do whom they follow. */
export async function listAround(
  db: Database,
  filter: AroundFilter,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Promise<AroundPage> {
  const page: Page = { number: 1, limit, offset: 0, cursor }
  const newest = ofFollowed(db, filter, page)
    .union(ofWatched(db, filter, page))
    .union(ofOwned(db, filter, page))
  const ids = db
    .selectFrom(newest.as('newest'))
    .select('newest.id')
    .orderBy('newest.created_at', 'desc')
    .orderBy('newest.id', 'desc')
    .limit(limit + 1)
  const rows = await selectShown(db, ids).select(keyValues(newestFirst)).execute()
  return {
    items: rows.slice(0, limit).map(toActivity),
    older: rows.length > limit ? writePosition(newestFirst, rows[limit - 1]) : undefined,
  }
}

/** What they do where it is private is not told by following them, also to those who could read it. */
function ofFollowed(db: Database, filter: AroundFilter, page: Page) {
  const shown = ofSource(
    db,
    { ...filter, onlyPublic: true },
    page,
    'account_id',
    'follow.followed_id',
  )
  return db
    .selectFrom('follow')
    .innerJoin('activity as newest', (join) => join.on(isAmong(db.dialect, shown)))
    .where('follow.follower_id', '=', filter.accountId)
    .select(['newest.id', 'newest.created_at'])
}

function ofWatched(db: Database, filter: AroundFilter, page: Page) {
  const shown = ofSource(db, filter, page, 'repository_id', 'watch.repository_id')
  return db
    .selectFrom('watch')
    .innerJoin('activity as newest', (join) => join.on(isAmong(db.dialect, shown)))
    .where('watch.account_id', '=', filter.accountId)
    .select(['newest.id', 'newest.created_at'])
}

function ofOwned(db: Database, filter: AroundFilter, page: Page) {
  const shown = ofSource(db, filter, page, 'owner_id', 'owner.id')
  return db
    .selectFrom('account as owner')
    .innerJoin('activity as newest', (join) => join.on(isAmong(db.dialect, shown)))
    .where('owner.id', '=', filter.accountId)
    .select(['newest.id', 'newest.created_at'])
}

/** Of each one no more than a page, walked off the index of its feed: what lies behind cannot be shown. */
function ofSource(
  db: Executor,
  { accountId, onlyPublic, actors, fits }: AroundFilter,
  page: Page,
  column: 'account_id' | 'repository_id' | 'owner_id',
  source: string,
) {
  let query = db
    .selectFrom('activity')
    .select('activity.id')
    .where(`activity.${column}`, '=', sql.ref<number>(source))
    .where('activity.account_id', '<>', accountId)
    .where(fits)
  if (onlyPublic) query = query.where('activity.is_private', '=', 0)
  if (actors) query = query.where((eb) => isByShown(eb, actors))
  return limitTo(query, newestFirst, page)
}

/** Each database looks the few ids up in this form; in that of the other, PostgreSQL goes through all activities. */
function isAmong(dialect: Dialect, ids: ReturnType<typeof ofSource>) {
  return dialect === 'sqlite'
    ? sql<SqlBool>`newest.id IN ${ids}`
    : sql<SqlBool>`newest.id = ANY(ARRAY${ids})`
}
