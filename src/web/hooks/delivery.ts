import type { Delivery } from '../../events/webhooks/announce-queries.ts'
import { loadDeliveryOf } from '../../outbound/webhooks/manage.ts'
import type { Webhook } from '../../events/webhooks/hook.ts'
import { presentDelivery } from '../../outbound/webhooks/present.ts'
import type { WebhookRequest } from '../../outbound/webhooks/request.ts'
import { shownRequest } from '../../outbound/webhooks/shown-request.ts'
import { readInteger } from '../../platform/http/query.ts'
import { counted, timeAgo } from '../figures.ts'
import { renderAction } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { HookPlace } from './pages.ts'

/** Of what is longer a browser shows the beginning. */
const MAX_SHOWN = 100_000

/** What was sent, and what came back. */
export async function renderDelivery(place: HookPlace, hook: Webhook): Promise<Html> {
  const { ctx, param, path } = place
  const delivery = await loadDeliveryOf(ctx, place.viewer, hook, readInteger(param('delivery')))
  const one = path(String(hook.id))
  return html`
<h2>${delivery.kind.replaceAll('_', ' ')}</h2>
<p class="lede">${aboutDelivery(place, hook, delivery)} · ${counted(delivery.attempts, 'try', 'tries')} · <code>${delivery.uuid}</code></p>
${renderRequest(await shownRequest(ctx.db, hook, delivery), delivery)}
${renderAnswer(delivery)}
${renderAction(`${one}/redeliver`, 'Send again', { delivery: delivery.id })}
<p><a href="${one}">Back to the webhook</a></p>`
}

/** How it went, in a line. */
export function aboutDelivery({ ctx }: HookPlace, hook: Webhook, delivery: Delivery): Html {
  const { status, response_status: answered, last_error } = presentDelivery(hook, delivery)
  const answer = answered > 0 ? `answered ${answered}` : last_error
  return html`${status} · ${timeAgo(ctx.now(), delivery.created_at)}${answer !== '' && html` · ${answer}`}`
}

function renderRequest({ method, url, headers, body }: WebhookRequest, delivery: Delivery): Html {
  const isForm = headers['content-type']?.includes('form') ?? false
  return html`
<h3>Request</h3>
<p class="mute">As the webhook is set up now; what is secret is not shown.</p>
<pre tabindex="0">${method} ${url}
${linesOf(headers)}</pre>
<pre tabindex="0">${shortened(indented(isForm ? delivery.payload : body))}</pre>`
}

function renderAnswer({
  response_status: status,
  response_headers,
  response_body,
}: Delivery): Html {
  if (status === 0) return html`<h3>Answer</h3><p class="sheet notice mute">None came yet.</p>`
  const headers = JSON.parse(response_headers) as Record<string, unknown>
  return html`
<h3>Answer</h3>
<pre tabindex="0">${status}
${linesOf(headers)}</pre>
${response_body !== '' && html`<pre tabindex="0">${shortened(response_body)}</pre>`}`
}

function linesOf(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2)
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… the API has the rest` : text
}
