import type { Context, SignedInCaller } from '../../platform/context.ts'
import { forbidden, invalidField, notFound } from '../../platform/errors.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { isReadable } from '../issues/conditions.ts'
import { loadIssue } from '../issues/load.ts'
import { presentIssue } from '../issues/present.ts'
import { loadIssueForCaller, loadTracker, type IssueCall } from '../issues/routes.ts'
import { viewReadable } from '../issues/view.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { parseTime } from '../../platform/time.ts'
import { findByName } from '../../identity/users/load.ts'
import { presentTime } from './present.ts'
import { listTimes, type TimeFilter } from './queries.ts'
import { assertMayTrack, assertTracksTime, managesTimes, tracksTime } from './rights.ts'
import {
  AddTimeOption,
  issueAddTime,
  issueDeleteTime,
  issueResetTime,
  issueTrackedTimes,
  repoTrackedTimes,
  userCurrentTrackedTimes,
  userTrackedTimes,
} from './schema.ts'
import { addTime, removeTime, resetTimes } from './track.ts'
import type { TrackedTime } from './tracked-time.ts'

export function timeListRoutes(api: Api, ctx: Context): void {
  const times = '/repos/:owner/:repo/issues/:index/times'

  api.get('/user/times', userCurrentTrackedTimes, async (call) => {
    const { account } = call.signedIn()
    return answerTimes(ctx, call, { accountId: account.id })
  })

  api.get('/repos/:owner/:repo/times', repoTrackedTimes, async (call) => {
    const { view, caller } = await loadForTimes(ctx, call)
    assertTracksTime(ctx, view)
    const accountId = await readWhose(ctx, caller, view, call.query.text('user') ?? '')
    return answerTimes(ctx, call, { repositoryId: view.repo.id, accountId })
  })

  api.get('/repos/:owner/:repo/times/:user', userTrackedTimes, async (call) => {
    const { view, caller } = await loadForTimes(ctx, call)
    assertTracksTime(ctx, view)
    const accountId = await readWhose(ctx, caller, view, call.param('user'))
    return answerTimes(ctx, call, { repositoryId: view.repo.id, accountId })
  })

  api.get(times, issueTrackedTimes, async (call) => {
    const { view, issue, caller } = await loadIssueForCaller(ctx, call)
    if (!tracksTime(ctx, view)) throw notFound('Timetracker is disabled')
    const accountId = await readWhose(ctx, caller, view, call.query.text('user') ?? '')
    return answerTimes(ctx, call, { issueId: issue.id, accountId })
  })
}

export function timeRoutes(api: Api, ctx: Context): void {
  const times = '/repos/:owner/:repo/issues/:index/times'

  api.post(times, issueAddTime, async (call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    const body = await call.body(AddTimeOption)
    if (body.time <= 0) throw invalidField('Time', 'Required')
    const issue = await loadIssue(ctx, view, call.id('index'))
    await assertMayTrack(ctx, caller, view, issue)
    const accountId = await readSpender(ctx, caller, view, body.user_name ?? '')
    const at = parseTime(body.created ?? '') ?? ctx.now()
    const time = await addTime(ctx, issue, { accountId, seconds: body.time, at })
    const [shown] = await presentAll(ctx, call, [time])
    if (!shown) throw notFound()
    return ok(shown)
  })

  api.delete(times, issueResetTime, async (call) => {
    const { caller, issue } = await loadTracked(ctx, call)
    await resetTimes(ctx, caller, issue)
    return noContent()
  })

  api.delete(`${times}/:id`, issueDeleteTime, async (call) => {
    const { caller, issue } = await loadTracked(ctx, call)
    await removeTime(ctx, caller, issue, call.id('id'))
    return noContent()
  })
}

/** For routes that track time on one issue and take no body. */
export async function loadTracked(ctx: Context, call: Call): Promise<IssueCall> {
  const found = await loadIssueForCaller(ctx, call)
  await assertMayTrack(ctx, found.caller, found.view, found.issue)
  return found
}

async function loadForTimes(ctx: Context, call: Call) {
  const view = await loadOfPath(ctx, call)
  if (!readsUnit(view, 'repo.issues')) throw notFound()
  return { view, caller: call.signedIn() }
}

/** Whose times are meant; all of them only for who manages them. */
async function readWhose(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  name: string,
): Promise<number | undefined> {
  const manages = managesTimes(caller, view)
  if (name === '') return manages ? undefined : caller.account.id
  const { id } = await loadNamed(ctx, name)
  if (!manages && id !== caller.account.id) {
    throw forbidden('query by user not allowed; not enough rights')
  }
  return id
}

async function readSpender(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  name: string,
): Promise<number> {
  if (name === '') return caller.account.id
  const { id } = await loadNamed(ctx, name)
  if (id !== caller.account.id && !managesTimes(caller, view)) {
    throw forbidden('only administrators may add the time of others')
  }
  return id
}

async function loadNamed(ctx: Context, name: string) {
  const account = await findByName(ctx, name)
  if (account?.kind !== 'person') throw notFound(`user does not exist [uid: 0, name: ${name}]`)
  return account
}

async function answerTimes(
  ctx: Context,
  call: Call,
  filter: Pick<TimeFilter, 'issueId' | 'repositoryId' | 'accountId'>,
) {
  const readable = isReadable(ctx.config, call.caller, { issues: true, pulls: true })
  const span = { since: call.query.time('since'), before: call.query.time('before') }
  const found = await listTimes(ctx.db, { ...filter, ...span, readable }, call.page)
  return call.listOf(found, await presentAll(ctx, call, found.items), { links: false })
}

async function presentAll(ctx: Context, call: Call, times: readonly TrackedTime[]) {
  const ids = times.map(({ issueId }) => issueId)
  const issues = await viewReadable(ctx, call.caller, ids)
  return times.map((time) => {
    const view = issues.get(time.issueId)
    return presentTime(time, view ? presentIssue(ctx.config, call.caller, view) : null)
  })
}
