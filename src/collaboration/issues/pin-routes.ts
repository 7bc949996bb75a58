import type { Context } from '../../platform/context.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { listPinned } from './pin-queries.ts'
import {
  moveIssuePin,
  pinIssueEndpoint,
  repoListPinnedIssues,
  repoNewPinAllowed,
  unpinIssueEndpoint,
} from './pin-schema.ts'
import { MAX_PINNED, movePin, pinIssue, pinnedIn, unpinIssue } from './pins.ts'
import { presentIssue } from './present.ts'
import { loadAdministeredIssue, loadTracker } from './routes.ts'
import { viewIssues } from './view.ts'

export function pinRoutes(api: Api, ctx: Context): void {
  const pin = '/repos/:owner/:repo/issues/:index/pin'

  api.get('/repos/:owner/:repo/issues/pinned', repoListPinnedIssues, async (call) => {
    const view = await loadTracker(ctx, call)
    const seenBy = { config: ctx.config, caller: call.caller }
    const pinned = await pinnedIn(ctx, view, { isPull: false })
    const views = await viewIssues(ctx.db, pinned, seenBy)
    return ok(views.map((issue) => presentIssue(ctx.config, call.caller, issue)))
  })

  api.get('/repos/:owner/:repo/new_pin_allowed', repoNewPinAllowed, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    const hasRoom = async (isPull: boolean) =>
      (await listPinned(ctx.db, { repositoryId: repo.id, isPull })).length < MAX_PINNED
    return ok({ issues: await hasRoom(false), pull_requests: await hasRoom(true) })
  })

  api.post(pin, pinIssueEndpoint, async (call) => {
    const { issue, caller } = await loadAdministeredIssue(ctx, call)
    await pinIssue(ctx, caller, issue)
    return noContent()
  })

  api.delete(pin, unpinIssueEndpoint, async (call) => {
    const { issue, caller } = await loadAdministeredIssue(ctx, call)
    await unpinIssue(ctx, caller, issue)
    return noContent()
  })

  api.patch(`${pin}/:position`, moveIssuePin, async (call) => {
    const { issue } = await loadAdministeredIssue(ctx, call)
    await movePin(ctx, issue, call.id('position'))
    return noContent()
  })
}
