import { describeEvent } from './describe.ts'
import { takesPayload, type Webhook } from '../../events/webhooks/hook.ts'
import type { Sent } from './request.ts'

/** The payload as the service of this type takes it: itself, or a line of text about it. */
export function formOf(hook: Webhook, { kind, payload }: Sent): string {
  if (takesPayload(hook)) return payload
  const parsed = JSON.parse(payload) as Record<string, unknown>
  return JSON.stringify(shapeOf(hook, parsed, describeEvent(kind, parsed)))
}

function shapeOf(
  { type, settings }: Webhook,
  payload: Readonly<Record<string, unknown>>,
  text: string,
): object {
  switch (type) {
    case 'slack':
      return {
        channel: settings.channel ?? '',
        text: escapeSlack(text),
        ...(settings.username ? { username: settings.username } : {}),
        ...(settings.icon_url ? { icon_url: settings.icon_url } : {}),
      }
    case 'discord':
      // Nobody is called by what somebody else wrote.
      return { content: text.slice(0, 2000), allowed_mentions: { parse: [] } }
    case 'dingtalk':
    case 'wechatwork':
      return { msgtype: 'text', text: { content: text } }
    case 'feishu':
      return { msg_type: 'text', content: { text } }
    case 'matrix':
      return { msgtype: 'm.notice', body: text }
    case 'packagist':
      return { repository: { url: urlOf(payload) } }
    default:
      return { text }
  }
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function urlOf({ repository }: Readonly<Record<string, unknown>>): string {
  return (repository as { html_url?: string } | undefined)?.html_url ?? ''
}
