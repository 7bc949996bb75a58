import type { Context } from '../../platform/context.ts'
import { absenceBehind } from './absence.ts'
import type { Answer } from '../../platform/http/answer.ts'
import type { Route } from '../../platform/http/api.ts'
import { LateBody, type Call } from '../../platform/http/call.ts'

/**
 * The answer of a route; where its repository goes meanwhile, that of a call which comes after it.
 */
export async function handleUnlessDeleted(
  ctx: Context,
  { endpoint, handler }: Pick<Route, 'endpoint' | 'handler'>,
  call: Call,
): Promise<Answer> {
  try {
    return await handler(call)
  } catch (error) {
    // What administrators of the server name is yet to become a repository.
    if (error instanceof LateBody || endpoint.access === 'site-admin') throw error
    const path = { owner: call.param('owner'), repo: call.param('repo') }
    throw await absenceBehind(ctx, call.caller, path, error)
  }
}
