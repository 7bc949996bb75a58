import { listAroundFeed } from '../outbound/activity/around.ts'
import { listAccountFeed } from '../outbound/activity/feed.ts'
import { basePath } from '../platform/config/urls.ts'
import { renderFeed } from './feed.ts'
import { html, type Html } from '../platform/html.ts'
import type { Look, SignedInLook } from './look.ts'
import { activityPath } from './organizations/tabs.ts'

const FEED_LINES = 20

/** What happened, as the start page tells it. */
export interface Lately {
  readonly of: 'self' | 'others'
  readonly lines: Html
  readonly more?: { readonly address: string; readonly label: string } | undefined
}

/** What they did themselves, or what others did around them. */
export async function loadLately(look: SignedInLook): Promise<Lately> {
  return look.query.text('feed') === 'others' ? ofOthers(look) : ofSelf(look)
}

async function ofSelf(look: SignedInLook): Promise<Lately> {
  const { ctx, viewer } = look
  const page = { number: 1, limit: FEED_LINES, offset: 0 }
  const { items, total } = await listAccountFeed(ctx, viewer, viewer.account, undefined, page)
  const none = html`<p class="mute">What you do is told here.</p>`
  return {
    of: 'self',
    lines: await renderFeed(look, items, none),
    more:
      total > items.length
        ? { address: activityPath(look, viewer.account), label: 'All' }
        : undefined,
  }
}

async function ofOthers(look: SignedInLook): Promise<Lately> {
  const { ctx, viewer, query } = look
  const cursor = query.text('before') ?? ''
  const { items, older } = await listAroundFeed(ctx, viewer, { cursor, limit: FEED_LINES })
  const none = html`<p class="mute">What people do whom you follow, and what others do in repositories that you have or watch, is told here.</p>`
  return {
    of: 'others',
    lines: await renderFeed(look, items, none),
    more:
      older === undefined
        ? undefined
        : { address: latelyAddress(look, 'others', older), label: 'Older' },
  }
}

/** The start page with one of the views: what is searched for on it stays. */
export function latelyAddress({ ctx, request }: Look, of: Lately['of'], before?: string): string {
  const [, query = ''] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  for (const name of ['feed', 'before']) parameters.delete(name)
  if (of === 'others') parameters.set('feed', of)
  if (before !== undefined) parameters.set('before', before)
  const asked = parameters.size > 0 ? `?${parameters.toString()}` : ''
  return `${basePath(ctx.config)}/${asked}#lately`
}
