import type { Executor } from '../../platform/db/database.ts'
import { writeInTurns } from '../../platform/db/parts.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { statement } from '../../platform/db/statement.ts'
import type { EventKind } from './events.ts'
import { pack } from './packed.ts'

export type Delivery = Row<'webhook_delivery'>

type NewDelivery = Omit<NewRow<'webhook_delivery'>, 'payload' | 'payload_id'>

/** Something that is told to one or many. */
export interface Told {
  readonly payload: string
  readonly deliveries: readonly NewDelivery[]
}

export interface Listener {
  readonly id: number
  readonly branchFilter: string
  /** Which of the events it listens to. */
  readonly kinds: readonly EventKind[]
}

const activeHooks = statement<Pick<Row<'webhook'>, 'id' | 'events' | 'branch_filter'>>(`
  SELECT id, events, branch_filter
  FROM webhook
  WHERE is_active = 1 AND (
    repository_id = ?
    OR account_id = (SELECT owner_id FROM repository WHERE id = ?)
    OR is_system = 1
  )
  ORDER BY id
`)

const activeHooksOfAccount = statement<Pick<Row<'webhook'>, 'id' | 'events' | 'branch_filter'>>(`
  SELECT id, events, branch_filter
  FROM webhook
  WHERE is_active = 1 AND (account_id = ? OR is_system = 1)
  ORDER BY id
`)

/**
 * Where something happened: in a repository, or with an account and in none of its repositories.
 */
export type Scene = { readonly repositoryId: number } | { readonly accountId: number }

/**
 * The webhooks that listen to one of these events: those of the repository, of its owner and of the
 * system.
 */
export async function findListeners(
  db: Executor,
  scene: Scene,
  kinds: readonly EventKind[],
): Promise<readonly Listener[]> {
  const rows =
    'accountId' in scene
      ? await activeHooksOfAccount(db, scene.accountId)
      : await activeHooks(db, scene.repositoryId, scene.repositoryId)
  return rows.flatMap((row) => {
    const events = JSON.parse(row.events) as string[]
    const heard = kinds.filter((kind) => events.includes(kind))
    if (heard.length === 0) return []
    return { id: row.id, branchFilter: row.branch_filter, kinds: heard }
  })
}

const defaultHooks = statement<Row<'webhook'>>(
  'SELECT * FROM webhook WHERE is_default = 1 ORDER BY id',
)
const hooksOfRepository = statement<Row<'webhook'>>(
  'SELECT * FROM webhook WHERE repository_id = ? ORDER BY id',
)

/** What a new repository gets of another's webhooks, or of the defaults: all but the deliveries. */
export async function copyHookRows(
  db: Executor,
  from: { readonly repositoryId: number } | 'defaults',
  toId: number,
  now: number,
): Promise<void> {
  const rows =
    from === 'defaults' ? await defaultHooks(db) : await hooksOfRepository(db, from.repositoryId)
  if (rows.length === 0) return
  const copies = rows.map(({ id: _id, ...row }) => ({
    ...row,
    repository_id: toId,
    is_default: 0 as const,
    lease_until: 0,
    retry_at: 0,
    created_at: now,
    updated_at: now,
  }))
  await db.insertInto('webhook').values(copies).execute()
}

const ownerOfRepository = statement<Pick<Row<'repository'>, 'owner_id'>>(
  'SELECT owner_id FROM repository WHERE id = ?',
)

/** For whom is stored what webhooks are told of it. */
export async function placeOf(
  db: Executor,
  scene: Scene,
): Promise<{ readonly repository_id: number; readonly owner_id: number }> {
  if ('accountId' in scene) return { repository_id: 0, owner_id: scene.accountId }
  const [row] = await ownerOfRepository(db, scene.repositoryId)
  return { repository_id: scene.repositoryId, owner_id: row?.owner_id ?? 0 }
}

/** What is told is stored once, however many hear of it. */
export async function insertDeliveries(db: Executor, { payload, deliveries }: Told): Promise<void> {
  const [first] = deliveries
  if (!first) return
  const content = pack(payload)
  const id = await insertPayload(db, content, first.created_at)
  const rows = deliveries.map((delivery, at) => ({
    ...delivery,
    payload: '',
    payload_id: id,
    room: at === 0 ? content.length : 0,
  }))
  await writeInTurns(rows, (some) => db.insertInto('webhook_delivery').values(some).execute())
}

export async function insertDelivery(
  db: Executor,
  row: NewDelivery,
  payload: string,
): Promise<Delivery> {
  const content = pack(payload)
  const payload_id = await insertPayload(db, content, row.created_at)
  const made = await db
    .insertInto('webhook_delivery')
    .values({ ...row, payload: '', payload_id, room: content.length })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...made, payload }
}

/** The same again: what was told is stored already. */
export async function insertAgain(
  db: Executor,
  { hook_id, uuid, kind, payload_id, payload, repository_id, owner_id }: Delivery,
  created_at: number,
): Promise<Delivery> {
  const row = { hook_id, uuid, kind, repository_id, owner_id, created_at }
  if (payload_id === null) return insertDelivery(db, row, payload)
  const made = await db
    .insertInto('webhook_delivery')
    .values({ ...row, payload: '', payload_id })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...made, payload }
}

async function insertPayload(db: Executor, content: string, created_at: number): Promise<number> {
  const { id } = await db
    .insertInto('webhook_payload')
    .values({ content, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Before a repository goes: those of its webhooks that are to hear of it belong to nobody from now
 * on.
 */
export async function detachHooks(db: Executor, repositoryId: number): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ repository_id: null })
    .where('repository_id', '=', repositoryId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_delivery')
        .select('hook_id')
        .where('kind', '=', 'repository')
        .where('is_waiting', '=', 1),
    )
    .execute()
}
