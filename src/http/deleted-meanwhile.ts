import type { Context } from '../context.ts'
import { Deadlocked } from '../db/unavailable.ts'
import { AppError, Moved, notFound } from '../errors.ts'
import { loadVisible } from '../repositories/load.ts'
import type { Answer } from './answer.ts'
import type { Route } from './api.ts'
import { LateBody, type Call } from './call.ts'

/**
 * A repository can be deleted while a call works in it: git then finds no folder, a new row nothing to hang on. Whatever
 * breaks for want of the repository, the answer is that of a call which comes after it.
 */
export async function handleUnlessDeleted(
  ctx: Context,
  { endpoint, handler }: Route,
  call: Call,
): Promise<Answer> {
  try {
    return await handler(call)
  } catch (error) {
    if (isMeant(error)) throw error
    // What administrators of the server name is yet to become a repository.
    if (endpoint.access === 'site-admin') throw error
    throw (await findAbsence(ctx, call)) ?? error
  }
}

function isMeant(error: unknown): boolean {
  if (error instanceof Moved || error instanceof LateBody) return true
  if (!(error instanceof AppError) || error instanceof Deadlocked) return false
  // A branch that is missing may be missing with its repository.
  return error.code !== 'not_found' || error.message === notFound().message
}

/** What a call that comes now is told where the path names a repository that is not there. */
async function findAbsence(ctx: Context, call: Call): Promise<Error | undefined> {
  const path = { owner: call.param('owner'), repo: call.param('repo') }
  if (path.owner === '' || path.repo === '') return undefined
  try {
    await loadVisible(ctx, call.caller, path)
    return undefined
  } catch (error) {
    return isAbsence(error) ? error : undefined
  }
}

function isAbsence(error: unknown): error is Error {
  return error instanceof Moved || (error instanceof AppError && error.code === 'not_found')
}
