import { apiUrl } from '../../platform/config/urls.ts'
import { isSiteAdmin, type Context } from '../../platform/context.ts'
import { forbidden } from '../../platform/errors.ts'
import { ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadIssueForCaller, loadIssueOfPath } from '../issues/routes.ts'
import { formatTime } from '../../platform/time.ts'
import { loadPerson } from '../../identity/users/load.ts'
import { presentUser } from '../../identity/users/present.ts'
import { listSubscribers } from './queries.ts'
import {
  issueAddSubscription,
  issueCheckSubscription,
  issueDeleteSubscription,
  issueSubscriptions,
} from './schema.ts'
import { isSubscribed, setSubscribed } from './subscribe.ts'

export function issueSubscriptionRoutes(api: Api, ctx: Context): void {
  const subscriptions = '/repos/:owner/:repo/issues/:index/subscriptions'

  api.get(subscriptions, issueSubscriptions, async (call) => {
    const { issue } = await loadIssueOfPath(ctx, call)
    const found = await listSubscribers(ctx.db, issue.id, call.page)
    return call.list(found, (person) => presentUser(ctx.config, call.caller, person), {
      links: false,
    })
  })

  api.get(`${subscriptions}/check`, issueCheckSubscription, async (call) => {
    const { view, issue, caller } = await loadIssueForCaller(ctx, call)
    const subscribed = await isSubscribed(ctx, issue, caller.account.id)
    const url = `${apiUrl(ctx.config)}/repos/${view.owner.name}/${view.repo.name}`
    return ok({
      subscribed,
      ignored: !subscribed,
      reason: null,
      created_at: formatTime(issue.createdAt),
      url: `${url}/issues/${issue.number}/subscriptions`,
      repository_url: url,
    })
  })

  api.put(`${subscriptions}/:user`, issueAddSubscription, (call) => change(ctx, call, true))

  api.delete(`${subscriptions}/:user`, issueDeleteSubscription, (call) => change(ctx, call, false))
}

async function change(ctx: Context, call: Call, wanted: boolean): Promise<Answer<never>> {
  const { issue, caller } = await loadIssueForCaller(ctx, call)
  const person = await loadPerson(ctx, caller, call.param('user'))
  if (person.id !== caller.account.id && !isSiteAdmin(caller)) {
    throw forbidden(
      `${caller.account.name} is not permitted to change subscriptions for ${person.name}`,
    )
  }
  const isChanged = await setSubscribed(ctx, issue, person.id, wanted)
  return { status: isChanged ? 201 : 200 }
}
