import { randomUUID } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { passesFilter } from './branch-filter.ts'
import {
  detachHooks,
  findListeners,
  insertDeliveries,
  placeOf,
  type Scene,
} from './announce-queries.ts'
import type { EventKind } from './events.ts'

/** Something that webhooks may hear of. */
export interface News {
  readonly kind: EventKind
  /** What receivers are told it is, where they know several under one kind. */
  readonly exactly?: string | undefined
  /** Where it is about one: webhooks may listen to some branches only. */
  readonly branch?: string | undefined
  /** Made only when somebody listens. */
  readonly payload: () => object | Promise<object>
}

/**
 * In the transaction of what happened in a repository: each webhook that listens gets it, told as
 * it is now, once that is committed. Wake the queue after the commit.
 */
export async function announce(
  ctx: Context,
  tx: Executor,
  repositoryId: number,
  news: readonly News[],
): Promise<void> {
  await announceAt(ctx, tx, { repositoryId }, news)
}

/** Like `announce`, also for what happened in no repository. */
export async function announceAt(
  ctx: Context,
  tx: Executor,
  scene: Scene,
  news: readonly News[],
): Promise<void> {
  if (news.length === 0) return
  const kinds = [...new Set(news.map(({ kind }) => kind))]
  const listeners = await findListeners(tx, scene, kinds)
  if (listeners.length === 0) return
  const place = await placeOf(tx, scene)
  const heard = new Set<number>()
  for (const { kind, exactly = kind, branch, payload } of news) {
    const hooks = listeners.filter(
      (hook) => hook.kinds.includes(kind) && passesFilter(hook.branchFilter, branch),
    )
    if (hooks.length === 0) continue
    const told = JSON.stringify(await payload())
    const common = { ...place, uuid: randomUUID(), kind: exactly, created_at: ctx.now() }
    const deliveries = hooks.map(({ id }) => ({ ...common, hook_id: id }))
    await insertDeliveries(tx, { payload: told, deliveries })
    for (const { id } of hooks) heard.add(id)
  }
  await ctx.jobs.enqueueAll(
    tx,
    'deliver_webhook',
    [...heard].map((id) => ({ id })),
  )
}

/** Whether it is worth finding out more about these before they are announced. */
export async function isAnybodyListening(
  ctx: Context,
  repositoryId: number,
  kinds: readonly EventKind[],
): Promise<boolean> {
  return (await findListeners(ctx.db, { repositoryId }, kinds)).length > 0
}

/**
 * Before a repository is deleted: webhooks that still have to tell of that belong to nobody then.
 */
export async function detachWebhooks(tx: Executor, repositoryId: number): Promise<void> {
  await detachHooks(tx, repositoryId)
}
