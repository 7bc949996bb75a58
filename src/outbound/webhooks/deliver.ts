import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { NotYet } from '../../platform/jobs/queue.ts'
import { fetchOutside, type OutsideAnswer } from '../../platform/network/fetch.ts'
import { unseal } from './change.ts'
import {
  countBusyAtHost,
  deleteDetachedHooks,
  deleteOldDeliveries,
  findIdleWithWaiting,
  findNextDelivery,
  hasWaiting,
  leaseHook,
  releaseHook,
  stopWaiting,
  updateDelivery,
} from './delivery-queries.ts'
import type { Delivery } from '../../events/webhooks/announce-queries.ts'
import { isDetached, type Webhook } from '../../events/webhooks/hook.ts'
import { deleteHook, findHookById } from './queries.ts'
import { requestOf } from './request.ts'
import { forgetPayloads, keepWithinRoom } from './room.ts'
import { targetOf } from './target.ts'

const MAX_ANSWER_BYTES = 64 * 1024
const FIRST_PAUSE_SECONDS = 10
const MAX_PAUSE_SECONDS = 3_600
const HOOKS_AT_ONCE = 1_000
const ROWS_AT_ONCE = 1_000
const BUSY_HOST_SECONDS = 5

/** A worker's turn at one webhook ends after one timeout, its last attempt after another. */
function turnSeconds({ config }: Pick<Context, 'config'>): number {
  return 2 * config.webhooks.timeout + 5
}

/**
 * The job: delivers what waits for a webhook, in the order of the events. One worker at a time
 * does; whoever else comes leaves it to that one, who looks again after letting go.
 */
export async function deliverWaiting(ctx: Context, id: number, ending: AbortSignal): Promise<void> {
  const began = ctx.now()
  await keepWithinRoom(ctx, id)
  await assertHostFree(ctx, id)
  const hook = await leaseHook(ctx.db, id, { now: began, until: began + turnSeconds(ctx) })
  if (!hook) return
  const released = await releaseHook(ctx.db, id, await takeTurn(ctx, hook, ending))
  if (!released) return
  if (!(await hasWaiting(ctx.db, id))) {
    if (isDetached(released)) await deleteHook(ctx.db, id)
    return
  }
  const delaySeconds = Math.max(0, released.retryAt - ctx.now())
  await ctx.jobs.enqueue(ctx.db, 'deliver_webhook', { id }, { delaySeconds })
}

/** For a copy of a server, whose original delivers what waited. Gives how many those were. */
export async function giveUpWaiting(db: Executor): Promise<number> {
  return stopWaiting(db, 'the server was restored from a backup')
}

/** Many webhooks at one slow host must not take every worker. */
async function assertHostFree(ctx: Context, id: number): Promise<void> {
  if ((await countBusyAtHost(ctx.db, id, ctx.now())) < ctx.config.webhooks.per_host) return
  throw new NotYet(BUSY_HOST_SECONDS + (id % BUSY_HOST_SECONDS))
}

/** When to go on: 0 unless the receiver failed. */
async function takeTurn(ctx: Context, leased: Webhook, ending: AbortSignal): Promise<number> {
  const until = Date.now() + ctx.config.webhooks.timeout * 1000
  let hook: Webhook | undefined = leased
  while (hook && Date.now() < until && !ending.aborted) {
    const delivery = await findNextDelivery(ctx.db, hook.id)
    if (!delivery) return 0
    const retryAt = await attempt(ctx, hook, delivery, ending)
    if (retryAt > 0) return retryAt
    // Somebody may have changed it meanwhile: what comes next goes where they want it.
    hook = await findHookById(ctx.db, hook.id)
  }
  return 0
}

interface Outcome {
  readonly isDelivered: boolean
  /** Whether it may go better later. */
  readonly isFinal: boolean
  readonly error: string
  readonly answer?: OutsideAnswer
}

/** One request; when to try again, or 0 when that is over. */
async function attempt(
  ctx: Context,
  hook: Webhook,
  delivery: Delivery,
  ending: AbortSignal,
): Promise<number> {
  const outcome = await send(ctx, hook, delivery, ending)
  // Broken off by us: whoever comes next tries again, and nothing has failed.
  if (ending.aborted && !outcome.isDelivered) return 0
  const now = ctx.now()
  const isOver =
    outcome.isDelivered ||
    outcome.isFinal ||
    now - delivery.created_at >= ctx.config.webhooks.retry_for
  const answered = answerColumns(outcome.answer)
  const before = delivery.response_headers.length + delivery.response_body.length
  const after = answered.response_headers.length + answered.response_body.length
  await updateDelivery(ctx.db, delivery.id, {
    room: Math.max(0, delivery.room + after - before),
    is_waiting: isOver ? 0 : 1,
    is_delivered: outcome.isDelivered ? 1 : 0,
    attempts: delivery.attempts + 1,
    tried_at: now,
    last_error: outcome.error,
    ...answered,
  })
  return isOver
    ? 0
    : now + Math.min(FIRST_PAUSE_SECONDS * 2 ** delivery.attempts, MAX_PAUSE_SECONDS)
}

async function send(
  ctx: Context,
  hook: Webhook,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const secrets = {
      secret: unseal(ctx, hook.secret),
      authorization: unseal(ctx, hook.authorizationHeader),
    }
    const target = await targetOf(ctx.db, hook)
    const { url, method, headers, body } = requestOf(hook, target, delivery, secrets)
    const answer = await fetchOutside(ctx, url, {
      method,
      headers,
      body,
      signal,
      timeLimitMs: ctx.config.webhooks.timeout * 1000,
      maxBytes: MAX_ANSWER_BYTES,
    })
    return { ...judge(answer.status), answer }
  } catch (error) {
    return { isDelivered: false, isFinal: isForbidden(error), error: complaintOf(error) }
  }
}

/**
 * What a receiver refuses it will refuse again; these answers are about its state and not about
 * what it was sent.
 */
const passing = new Set([404, 408, 409, 421, 423, 425, 429])

function judge(status: number): Omit<Outcome, 'answer'> {
  if (status >= 200 && status < 300) return { isDelivered: true, isFinal: true, error: '' }
  const isFinal = status < 500 && !passing.has(status)
  return { isDelivered: false, isFinal, error: `the receiver answered ${status}` }
}

/** Asking again will not help: the settings of the server say so. */
function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'host_disallowed'
}

function complaintOf(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'TimeoutError' || name === 'AbortError') return 'the receiver took too long'
  return error instanceof AppError ? message : `the receiver cannot be reached: ${codeOf(error)}`
}

/** Without the address: where a name leads is nobody's business. */
function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message.slice(0, 200)
}

/** As text; neither database takes a NUL there. */
function answerColumns(answer: OutsideAnswer | undefined) {
  if (!answer) return { response_status: 0, response_headers: '{}', response_body: '' }
  const headers = JSON.stringify(answer.headers)
  const body = answer.body.toString('utf8').replaceAll('\0', '')
  return { response_status: answer.status, response_headers: headers, response_body: body }
}

/** The task: takes up what a worker that died has left. */
export async function resumeDeliveries(ctx: Context): Promise<void> {
  const ids = await findIdleWithWaiting(ctx.db, ctx.now(), HOOKS_AT_ONCE)
  await ctx.jobs.enqueueAll(
    ctx.db,
    'deliver_webhook',
    ids.map((id) => ({ id })),
  )
  ctx.jobs.wake()
}

/** The task: also takes away webhooks whose last delivery a worker made without coming to that. */
export async function forgetOldDeliveries(ctx: Context): Promise<void> {
  await deleteDetachedHooks(ctx.db)
  const before = ctx.now() - ctx.config.webhooks.keep
  while ((await deleteOldDeliveries(ctx.db, before, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
  await forgetPayloads(ctx)
}
