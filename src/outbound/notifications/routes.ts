import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Query } from '../../platform/http/query.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { presentThread } from './present.ts'
import { statuses, type Status, type Thread, type ThreadFilter } from './queries.ts'
import {
  notifyGetList,
  notifyGetRepoList,
  notifyGetThread,
  notifyNewAvailable,
  notifyReadList,
  notifyReadRepoList,
  notifyReadThread,
} from './schema.ts'
import { countUnread, listNews, loadThread, markNews, markThread } from './threads.ts'
import { viewThreads } from './view.ts'

export function notificationRoutes(api: Api, ctx: Context): void {
  const ofRepository = '/repos/:owner/:repo/notifications'

  api.get('/notifications', notifyGetList, (call) => answerList(ctx, call, {}))
  api.put('/notifications', notifyReadList, (call) => answerMarked(ctx, call, {}))

  api.get(ofRepository, notifyGetRepoList, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    return answerList(ctx, call, { repositoryId: repo.id })
  })

  api.put(ofRepository, notifyReadRepoList, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    return answerMarked(ctx, call, { repositoryId: repo.id })
  })

  api.get('/notifications/new', notifyNewAvailable, async (call) =>
    ok({ new: await countUnread(ctx, call.signedIn()) }),
  )

  api.get('/notifications/threads/:id', notifyGetThread, async (call) =>
    ok(await presentOne(ctx, call, await loadThread(ctx, call.signedIn(), call.id('id')))),
  )

  api.patch('/notifications/threads/:id', notifyReadThread, async (call) => {
    const thread = await loadThread(ctx, call.signedIn(), call.id('id'))
    const marked = await markThread(ctx, thread, readStatus(call.query))
    return { status: 205, body: await presentOne(ctx, call, marked) }
  })
}

async function presentOne(ctx: Context, call: Call, thread: Thread) {
  const [view] = await viewThreads(ctx, call.caller, [thread])
  if (!view) throw notFound()
  return presentThread(ctx.config, view)
}

type Where = Pick<ThreadFilter, 'repositoryId'>

async function answerList(ctx: Context, call: Call, where: Where) {
  const { query } = call
  const filter = {
    ...where,
    kinds: readKinds(query),
    statuses: readStatuses(query, ['unread', 'pinned']),
    since: query.time('since'),
    before: query.time('before'),
  }
  const found = await listNews(ctx, call.signedIn(), filter, call.page)
  return call.list(found, (view) => presentThread(ctx.config, view), { links: false })
}

async function answerMarked(ctx: Context, call: Call, where: Where) {
  const { query } = call
  const filter = {
    ...where,
    statuses: readStatuses(query, ['unread']),
    before: query.time('last_read_at') ?? ctx.now(),
  }
  const views = await markNews(ctx, call.signedIn(), filter, readStatus(query))
  return { status: 205, body: views.map((view) => presentThread(ctx.config, view)) }
}

/** Words that are none are passed over; without any the usual ones count. */
function readStatuses(query: Query, usual: readonly Status[]): readonly Status[] | undefined {
  if (query.boolean('all')) return undefined
  const words = new Set(readWords(query, 'status-types'))
  const known = statuses.filter((status) => words.has(status))
  return known.length === 0 ? usual : known
}

function readStatus(query: Query): Status {
  const word = (query.text('to-status') ?? '').toLowerCase()
  return statuses.find((status) => status === word) ?? 'read'
}

const subjects = ['issue', 'pull', 'commit', 'repository']

/** There is no news of commits. */
function readKinds(query: Query): ThreadFilter['kinds'] {
  const words = readWords(query, 'subject-type').filter((word) => subjects.includes(word))
  if (words.length === 0) return { issues: true, pulls: true, repositories: true }
  return {
    issues: words.includes('issue'),
    pulls: words.includes('pull'),
    repositories: words.includes('repository'),
  }
}

function readWords(query: Query, key: string): readonly string[] {
  return query.all(key).flatMap((text) => text.toLowerCase().split(','))
}
