import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

/** Where something happened of which webhooks hear: what is stored for it is counted. */
export interface Place {
  readonly kind: 'repository' | 'owner'
  readonly id: number
}

export interface Held {
  readonly deliveries: number
  /** Bytes of payloads, as they are stored, and of answers. */
  readonly room: number
}

const columns = { repository: 'repository_id', owner: 'owner_id' } as const

/** Of what waits for a webhook. */
export async function placesOfHook(db: Executor, hookId: number): Promise<readonly Place[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .select(['repository_id', 'owner_id'])
    .where('hook_id', '=', hookId)
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  return rows.flatMap(({ repository_id, owner_id }) => [
    ...(repository_id > 0 ? [{ kind: 'repository', id: repository_id } as const] : []),
    ...(owner_id > 0 ? [{ kind: 'owner', id: owner_id } as const] : []),
  ])
}

export async function measureDeliveries(db: Executor, { kind, id }: Place): Promise<Held> {
  return db
    .selectFrom('webhook_delivery')
    .select([
      sql<number>`count(*)`.as('deliveries'),
      sql<number>`cast(coalesce(sum(room), 0) AS bigint)`.as('room'),
    ])
    .where(columns[kind], '=', id)
    .executeTakeFirstOrThrow()
}

/** The newest of those that are too much, counted from the newest. */
export async function findLastBeyond(
  db: Executor,
  { kind, id }: Place,
  { deliveries, room }: Held,
): Promise<number | undefined> {
  const counted = db
    .selectFrom('webhook_delivery')
    .select([
      'id',
      sql<number>`row_number() OVER (ORDER BY id DESC)`.as('number'),
      sql<number>`sum(room) OVER (ORDER BY id DESC)`.as('taken'),
    ])
    .where(columns[kind], '=', id)
    .as('counted')
  const { last } = await db
    .selectFrom(counted)
    .select(sql<number | null>`max(counted.id)`.as('last'))
    .where((eb) =>
      eb.or([
        eb('counted.number', '>', Math.floor(deliveries)),
        eb('counted.taken', '>', Math.floor(room)),
      ]),
    )
    .executeTakeFirstOrThrow()
  return last ?? undefined
}

export async function deleteDeliveriesUpTo(
  db: Executor,
  { kind, id }: Place,
  last: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_delivery')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_delivery')
        .select('id')
        .where(columns[kind], '=', id)
        .where('id', '<=', last)
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteOrphanedPayloads(db: Executor, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_payload')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_payload as payload')
        .select('payload.id')
        .where((payload) =>
          payload.not(
            payload.exists(
              payload
                .selectFrom('webhook_delivery')
                .select('webhook_delivery.id')
                .whereRef('webhook_delivery.payload_id', '=', 'payload.id'),
            ),
          ),
        )
        .orderBy('payload.id')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
