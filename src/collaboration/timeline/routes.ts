import { readSpan } from '../comments/routes.ts'
import { timelineOf } from '../comments/timeline.ts'
import type { Context } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadIssueOfPath } from '../issues/routes.ts'
import { presentEntry } from './present.ts'
import { issueGetCommentsAndTimeline } from './schema.ts'
import { viewTimeline } from './view.ts'

export function timelineRoutes(api: Api, ctx: Context): void {
  const timeline = '/repos/:owner/:repo/issues/:index/timeline'

  api.get(timeline, issueGetCommentsAndTimeline, async (call) => {
    const { view, issue } = await loadIssueOfPath(ctx, call)
    const entries = await timelineOf(ctx, call.caller, { view, issue }, readSpan(call), call.page)
    const views = await viewTimeline(ctx, call.caller, entries)
    const body = views.map((entry) => presentEntry(ctx.config, call.caller, view, entry))
    // The contract counts the page here, not the whole.
    return call.listOf({ items: entries, total: entries.length }, body, { links: false })
  })
}
