import { createHmac } from 'node:crypto'
import { groupOf } from '../../events/webhooks/events.ts'
import { formOf } from './forms.ts'
import { takesPayload, type Webhook } from '../../events/webhooks/hook.ts'

export interface WebhookRequest {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Sent {
  readonly uuid: string
  readonly kind: string
  /** JSON. */
  readonly payload: string
}

/** What is secret about a webhook, unsealed. */
export interface HookSecrets {
  readonly secret: string
  readonly authorization: string
}

export type TargetKind = 'repository' | 'organization' | 'user' | 'system' | 'default'

/** What goes to the receiver. A form is signed as the text of its one field. */
export function requestOf(
  hook: Webhook,
  target: TargetKind,
  sent: Sent,
  { secret, authorization }: HookSecrets,
): WebhookRequest {
  const payload = formOf(hook, sent)
  const isForm = hook.contentType === 'form' && takesPayload(hook)
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method: hook.type === 'matrix' ? 'PUT' : 'POST',
    url: hook.type === 'matrix' ? `${hook.url.replace(/\/$/, '')}/${sent.uuid}` : hook.url,
    headers: {
      'content-type': type,
      'user-agent': 'Codestead',
      ...headersOf(sent, target, payload, secret),
      ...(authorization === '' ? {} : { authorization }),
    },
    body: isForm ? new URLSearchParams({ payload }).toString() : payload,
  }
}

function headersOf(
  { uuid, kind }: Sent,
  target: TargetKind,
  payload: string,
  secret: string,
): Record<string, string> {
  const sha256 = sign('sha256', secret, payload)
  const prefixed = ['X-Gitea', 'X-Gogs', 'X-GitHub'].flatMap((prefix) => [
    [`${prefix}-Delivery`, uuid],
    [`${prefix}-Event`, groupOf(kind)],
    [`${prefix}-Event-Type`, kind],
    [`${prefix}-Signature`, sha256],
    [`${prefix}-Hook-Installation-Target-Type`, target],
  ])
  return {
    ...(Object.fromEntries(prefixed) as Record<string, string>),
    'X-Hub-Signature': `sha1=${sign('sha1', secret, payload)}`,
    'X-Hub-Signature-256': `sha256=${sha256}`,
  }
}

/** Empty without a secret: a signature that anybody can make proves nothing. */
function sign(algorithm: 'sha1' | 'sha256', secret: string, text: string): string {
  return secret === '' ? '' : createHmac(algorithm, secret).update(text).digest('hex')
}
