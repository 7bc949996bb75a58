import type { Static } from 'typebox'
import { apiUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { noContent, ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { listOf } from '../repository/list.ts'
import type { Repository } from '../repository/repository.ts'
import { loadOfPath } from '../repository/routes.ts'
import type { RepositoryView } from '../repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { UserBody } from '../../identity/users/schema.ts'
import { assertStars, peopleWho, star, unstar, unwatch, watch } from './stars-and-watches.ts'
import { findMarkTime } from './queries.ts'
import {
  repoListStargazers,
  repoListSubscribers,
  userCurrentCheckStarring,
  userCurrentCheckSubscription,
  userCurrentDeleteStar,
  userCurrentDeleteSubscription,
  userCurrentListStarred,
  userCurrentListSubscriptions,
  userCurrentPutStar,
  userCurrentPutSubscription,
  userListStarred,
  userListSubscriptions,
  type WatchInfoBody,
} from './schema.ts'

export function starRoutes(api: Api, ctx: Context): void {
  const starred = '/user/starred/:owner/:repo'

  api.get('/repos/:owner/:repo/stargazers', repoListStargazers, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    assertStars(ctx)
    return answerMarkers(ctx, call, 'star', repo)
  })

  api.get('/user/starred', userCurrentListStarred, async (call) =>
    listOf(ctx, call, { starredBy: call.signedIn().account.id, order: 'id' }),
  )

  api.get('/users/:username/starred', userListStarred, async (call) => {
    const { id } = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    call.signedIn()
    return listOf(ctx, call, { starredBy: id, order: 'id' })
  })

  api.get(starred, userCurrentCheckStarring, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    assertStars(ctx)
    const at = await findMarkTime(ctx.db, 'star', repo.id, call.signedIn().account.id)
    if (at === undefined) throw notFound()
    return noContent()
  })

  api.put(starred, userCurrentPutStar, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    await star(ctx, call.signedIn(), repo)
    return noContent()
  })

  api.delete(starred, userCurrentDeleteStar, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    await unstar(ctx, call.signedIn(), repo)
    return noContent()
  })
}

export function watchRoutes(api: Api, ctx: Context): void {
  const subscription = '/repos/:owner/:repo/subscription'

  api.get('/repos/:owner/:repo/subscribers', repoListSubscribers, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    return answerMarkers(ctx, call, 'watch', repo)
  })

  api.get('/user/subscriptions', userCurrentListSubscriptions, async (call) =>
    listOf(ctx, call, { watchedBy: call.signedIn().account.id, order: 'id' }),
  )

  api.get('/users/:username/subscriptions', userListSubscriptions, async (call) => {
    const { id } = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    call.signedIn()
    return listOf(ctx, call, { watchedBy: id, order: 'id' })
  })

  api.get(subscription, userCurrentCheckSubscription, async (call) => answerWatch(ctx, call))

  api.put(subscription, userCurrentPutSubscription, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    await watch(ctx, call.signedIn(), repo)
    return answerWatch(ctx, call)
  })

  api.delete(subscription, userCurrentDeleteSubscription, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    await unwatch(ctx, repo.id, call.signedIn().account.id)
    return noContent()
  })
}

async function answerMarkers(
  ctx: Context,
  call: Call,
  mark: 'star' | 'watch',
  repo: Repository,
): Promise<Answer<UserBody[]>> {
  const found = await peopleWho(ctx, call.caller, mark, repo, call.page)
  return call.list(found, (person) => presentUser(ctx.config, call.caller, person))
}

type WatchInfo = Static<typeof WatchInfoBody>

/** Who does not watch is told so by 404. */
async function answerWatch(ctx: Context, call: Call): Promise<Answer<WatchInfo>> {
  const view = await loadOfPath(ctx, call)
  const at = await findMarkTime(ctx.db, 'watch', view.repo.id, call.signedIn().account.id)
  if (at === undefined) throw notFound()
  return ok(presentWatch(ctx, view, at))
}

function presentWatch({ config }: Context, { repo, owner }: RepositoryView, at: number): WatchInfo {
  const url = `${apiUrl(config)}/repos/${owner.name}/${repo.name}`
  return {
    subscribed: true,
    ignored: false,
    reason: null,
    created_at: formatTime(at),
    url: `${url}/subscription`,
    repository_url: url,
  }
}
