import { basePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { signedIn } from '../../platform/http/call.ts'
import { readInteger } from '../../platform/http/query.ts'
import { reasonsOf } from '../../outbound/notifications/reasons.ts'
import { listNews, loadThread, markNews, markThread } from '../../outbound/notifications/threads.ts'
import type { Site } from '../layout.ts'
import { localPath } from '../local-path.ts'
import { formOf, pageOf } from '../look.ts'
import { pageOf as pageIn } from '../repository/page-number.ts'
import { notificationsPage, readTab, tabs } from './page.ts'
import type { PageServer } from '../page-server.ts'

const PER_PAGE = 30

/** What somebody has not read yet, has pinned, and has read. */
export function notificationPages(server: PageServer, ctx: Context, site: Site): void {
  const path = '/notifications'
  const show = pageOf(ctx, site, async (look) => {
    const caller = signedIn(look.viewer)
    const status = readTab(look.query.text('status'))
    const page = pageIn(look.query, PER_PAGE)
    const found = await listNews(ctx, caller, { statuses: [status] }, page)
    const reasons = await reasonsOf(ctx, caller, found.items)
    return notificationsPage(look, { status, page, found, reasons })
  })
  server.get(path, show)

  const mark = formOf(ctx, site, async ({ viewer, form, param }) => {
    const thread = await loadThread(ctx, viewer, readInteger(param('id')))
    const status = tabs.find((known) => known === form.get('status'))
    if (!status) throw invalid('unknown status')
    await markThread(ctx, thread, status)
    return { leadsTo: localPath(ctx.config, form.get('redirect_to')) }
  })
  server.post(`${path}/:id/status`, mark)

  // What came after the page was made is not read by it.
  const markAll = formOf(ctx, site, async ({ viewer, form }) => {
    const before = readInteger(form.get('before') ?? '')
    await markNews(ctx, viewer, { statuses: ['unread'], before }, 'read')
    return { leadsTo: `${basePath(ctx.config)}${path}` }
  })
  server.post(`${path}/read`, markAll)
}
