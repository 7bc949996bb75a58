import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

/** The feed of one repository, or those of all repositories of an owner. */
export interface FeedOf {
  readonly kind: 'repository' | 'owner'
  readonly id: number
}

export interface FeedSize {
  readonly entries: number
  /** Bytes of what the entries say. */
  readonly room: number
}

const columns = { repository: 'repository_id', owner: 'owner_id' } as const

export async function measureFeed(db: Executor, { kind, id }: FeedOf): Promise<FeedSize> {
  return db
    .selectFrom('activity')
    .select([
      sql<number>`count(*)`.as('entries'),
      sql<number>`CAST(coalesce(sum(octet_length(content)), 0) AS bigint)`.as('room'),
    ])
    .where(columns[kind], '=', id)
    .executeTakeFirstOrThrow()
}

/** Says what the deleted entries took. */
export async function deleteOldest(
  db: Executor,
  { kind, id }: FeedOf,
  count: number,
): Promise<FeedSize> {
  const deleted = await db
    .deleteFrom('activity')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('activity')
        .select('id')
        .where(columns[kind], '=', id)
        .orderBy('created_at')
        .orderBy('id')
        .limit(count),
    )
    .returning(sql<number>`octet_length(content)`.as('room'))
    .execute()
  return { entries: deleted.length, room: deleted.reduce((sum, { room }) => sum + room, 0) }
}
