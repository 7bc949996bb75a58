import type { FastifyRequest } from 'fastify'
import type { Caller, Context } from '../context.ts'
import { once } from '../idempotency/once.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './api.ts'

/** Where the endpoint allows it and the client asks for it by a key, the call is done once. */
export async function answerOnce(
  ctx: Context,
  endpoint: Endpoint,
  caller: Caller,
  request: FastifyRequest,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const key = request.headers['idempotency-key']
  if (!endpoint.idempotent || typeof key !== 'string' || key === '' || !caller.account) {
    return handle()
  }
  const call = { accountId: caller.account.id, key, request: `${request.method} ${request.url}` }
  const { status, answer, isRepeated } = await once(ctx, call, async () => {
    const first = await handle()
    return { status: first.status, answer: JSON.stringify(first.body) }
  })
  const headers = isRepeated ? { 'idempotency-replayed': 'true' } : {}
  return { status, body: JSON.parse(answer) as unknown, headers }
}
