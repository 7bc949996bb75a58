import type { Executor } from '../../platform/db/database.ts'
import type { Delivery } from '../../events/webhooks/announce-queries.ts'
import type { Webhook } from '../../events/webhooks/hook.ts'
import { requestOf, type WebhookRequest } from './request.ts'
import { targetOf } from './target.ts'

const MASK = '***'

/**
 * What a receiver gets, for those who may edit the webhook: signatures and what signs in are left
 * out.
 */
export async function shownRequest(
  db: Executor,
  hook: Webhook,
  delivery: Delivery,
): Promise<WebhookRequest> {
  const secrets = { secret: '', authorization: hook.authorizationHeader === '' ? '' : MASK }
  const request = requestOf(hook, await targetOf(db, hook), delivery, secrets)
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    hook.secret !== '' && /signature/i.test(name) ? MASK : value,
  ])
  return { ...request, headers: Object.fromEntries(headers) as Record<string, string> }
}
