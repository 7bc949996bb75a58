import type { FastifyRequest } from 'fastify'
import type { Caller, Context } from '../context.ts'
import { claim, complete, giveUp, type Done, type KeyedCall } from './idempotency-keys.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './api.ts'

/**
 * Begins a call that is to be done once, when `content`, all that it asks for, is known. By then
 * the handler has found that the caller may still call. Throws where the call is not to be done
 * again.
 */
export type Begin = (content: string) => Promise<void>

/** The call has been done before. */
class Replay extends Error {
  override readonly name = 'Replay'
  readonly done: Done

  constructor(done: Done) {
    super('done before')
    this.done = done
  }
}

/** Where the endpoint allows it and the client asks for it by a key, the call is done once. */
export async function answerOnce(
  ctx: Context,
  endpoint: Endpoint,
  caller: Caller,
  request: FastifyRequest,
  handle: (begin?: Begin) => Promise<Answer>,
): Promise<Answer> {
  const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
  const { account } = caller
  if (typeof key !== 'string' || key === '' || !account) return handle()
  let begun: KeyedCall | undefined
  const begin = async (content: string) => {
    const asked = `${request.method} ${request.url}\n${content}`
    const call = { accountId: account.id, key, request: asked }
    const done = await claim(ctx, call)
    if (done) throw new Replay(done)
    begun = call
  }
  const warn = (cause: unknown) => ctx.log.warn(cause)
  let answer: Answer
  try {
    answer = await handle(begin)
  } catch (error) {
    if (error instanceof Replay) return fromDone(error.done)
    if (begun) await giveUp(ctx, begun, error).catch(warn)
    throw error
  }
  // It is done, and told to who asked; if that cannot be written down, the key stays one that has
  // begun.
  if (begun) await complete(ctx, begun, toDone(answer)).catch(warn)
  return answer
}

function toDone({ status, body }: Answer): Done {
  return { status, answer: JSON.stringify(body) }
}

function fromDone({ status, answer }: Done): Answer {
  return {
    status,
    body: JSON.parse(answer) as unknown,
    headers: { 'idempotency-replayed': 'true' },
  }
}
