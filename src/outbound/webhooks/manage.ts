import { randomUUID } from 'node:crypto'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'
import { findDelivery, listDeliveries } from './delivery-queries.ts'
import type { Delivery } from '../../events/webhooks/announce-queries.ts'
import type { HookHome, Webhook } from '../../events/webhooks/hook.ts'
import { deleteHook, findHook, listHooks, type SystemKind } from './queries.ts'
import { sendTo } from '../../events/webhooks/redeliver.ts'
import { findTestSubject, testPayload } from './test-push.ts'

export async function hooksOf(
  ctx: Context,
  home: HookHome,
  page: Page,
  kind: SystemKind = 'system',
): Promise<PageOf<Webhook>> {
  return listHooks(ctx.db, home, page, kind)
}

export async function loadHookOf(ctx: Context, home: HookHome, id: number): Promise<Webhook> {
  const hook = await findHook(ctx.db, home, id)
  if (!hook) throw notFound()
  return hook
}

export async function removeHook(ctx: Context, { id }: Webhook): Promise<void> {
  if (!(await deleteHook(ctx.db, id))) throw notFound()
}

/** Sends what a push of the latest commit would be told as. */
export async function testHook(
  ctx: Context,
  caller: SignedInCaller,
  home: HookHome,
  hook: Webhook,
): Promise<void> {
  const subject = await findTestSubject(ctx, home)
  if (!subject) throw invalid('there is no repository to test with')
  const payload = JSON.stringify(await testPayload(ctx, caller, subject))
  await sendTo(ctx, hook, {
    uuid: randomUUID(),
    kind: 'push',
    payload,
    scene: { repositoryId: subject.repo.id },
  })
}

/** The latest first. They tell of repositories, whosever the webhook is. */
export async function deliveriesOf(
  ctx: Context,
  caller: Caller,
  { id }: Webhook,
  page: Page,
): Promise<PageOf<Delivery>> {
  if (lacksSecondFactor(ctx, caller)) return { items: [], total: 0 }
  return listDeliveries(ctx.db, id, page)
}

export async function loadDeliveryOf(
  ctx: Context,
  caller: Caller,
  hook: Webhook,
  id: number,
): Promise<Delivery> {
  if (lacksSecondFactor(ctx, caller)) throw notFound()
  const delivery = await findDelivery(ctx.db, hook.id, id)
  if (!delivery) throw notFound()
  return delivery
}
