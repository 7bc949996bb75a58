import type { Static } from 'typebox'
import { formatTime } from '../../platform/time.ts'
import type { HookEdit, NewHook } from './change.ts'
import type { Delivery } from '../../events/webhooks/announce-queries.ts'
import { groupOf } from '../../events/webhooks/events.ts'
import type { Webhook } from '../../events/webhooks/hook.ts'
import type {
  CreateHookOption,
  DeliveryBody,
  DeliveryDetailsBody,
  EditHookOption,
  HookBody,
} from './schema.ts'

/** Neither the secret nor the header is ever shown. */
export function presentHook(hook: Webhook): HookBody {
  const system = hook.isSystem ? { is_system_webhook: 'true' } : {}
  return {
    id: hook.id,
    name: hook.name,
    type: hook.type,
    branch_filter: hook.branchFilter,
    config: { url: hook.url, content_type: hook.contentType, ...hook.settings, ...system },
    events: [...hook.events],
    authorization_header: '',
    active: hook.isActive,
    updated_at: formatTime(hook.updatedAt),
    created_at: formatTime(hook.createdAt),
  }
}

export function presentDelivery(hook: Webhook, delivery: Delivery): DeliveryBody {
  const isWaiting = delivery.is_waiting === 1
  return {
    id: delivery.id,
    uuid: delivery.uuid,
    event: groupOf(delivery.kind),
    event_type: delivery.kind,
    status: isWaiting ? 'waiting' : delivery.is_delivered === 1 ? 'delivered' : 'failed',
    attempts: delivery.attempts,
    last_error: delivery.last_error,
    response_status: delivery.response_status,
    created_at: formatTime(delivery.created_at),
    tried_at: delivery.tried_at === 0 ? null : formatTime(delivery.tried_at),
    next_attempt_at: isWaiting && hook.retryAt > 0 ? formatTime(hook.retryAt) : null,
  }
}

export function presentDeliveryDetails(hook: Webhook, delivery: Delivery): DeliveryDetailsBody {
  return {
    ...presentDelivery(hook, delivery),
    payload: JSON.parse(delivery.payload) as unknown,
    response_headers: JSON.parse(delivery.response_headers) as Record<string, unknown>,
    response_body: delivery.response_body,
  }
}

export function readNewHook(body: Static<typeof CreateHookOption>): NewHook {
  return {
    type: body.type,
    name: body.name ?? '',
    config: body.config,
    events: body.events ?? [],
    branchFilter: body.branch_filter ?? '',
    authorizationHeader: body.authorization_header ?? '',
    isActive: body.active ?? false,
  }
}

/** The contract has the header replaced, also by nothing. */
export function readHookEdit(body: Static<typeof EditHookOption>): HookEdit {
  return {
    name: body.name,
    config: body.config ?? {},
    events: body.events ?? [],
    branchFilter: body.branch_filter ?? '',
    authorizationHeader: body.authorization_header ?? '',
    isActive: body.active,
  }
}
