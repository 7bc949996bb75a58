import type { Context } from '../../platform/context.ts'
import { noContent } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { isReadable } from '../issues/conditions.ts'
import { presentStopwatch } from './present.ts'
import { listStopwatches } from './queries.ts'
import { loadTracked } from './routes.ts'
import {
  issueDeleteStopWatch,
  issueStartStopWatch,
  issueStopStopWatch,
  userGetStopWatches,
} from './schema.ts'
import { cancelStopwatch, startStopwatch, stopStopwatch } from './track.ts'

export function stopwatchRoutes(api: Api, ctx: Context): void {
  const stopwatch = '/repos/:owner/:repo/issues/:index/stopwatch'

  api.get('/user/stopwatches', userGetStopWatches, async (call) => {
    const { account } = call.signedIn()
    const readable = isReadable(ctx.config, call.caller, { issues: true, pulls: true })
    const found = await listStopwatches(ctx.db, account.id, readable, call.page)
    return call.list(found, (one) => presentStopwatch(one, ctx.now()), { links: false })
  })

  api.post(`${stopwatch}/start`, issueStartStopWatch, async (call) => {
    const { caller, issue } = await loadTracked(ctx, call)
    await startStopwatch(ctx, caller, issue)
    return { status: 201 }
  })

  api.post(`${stopwatch}/stop`, issueStopStopWatch, async (call) => {
    const { caller, issue } = await loadTracked(ctx, call)
    await stopStopwatch(ctx, caller, issue)
    return { status: 201 }
  })

  api.delete(`${stopwatch}/delete`, issueDeleteStopWatch, async (call) => {
    const { caller, issue } = await loadTracked(ctx, call)
    await cancelStopwatch(ctx, caller, issue)
    return noContent()
  })
}
