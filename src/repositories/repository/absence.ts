import type { Caller, Context } from '../../platform/context.ts'
import { Deadlocked } from '../../platform/db/unavailable.ts'
import { AppError, isNotFound, Moved } from '../../platform/errors.ts'
import { loadVisible } from './load.ts'
import type { RepositoryPath } from './repository.ts'

/**
 * A repository can be deleted while something works in it: git then finds no folder, a new row
 * nothing to hang on. Whatever breaks for want of the repository, what is told is what somebody is
 * told who comes after it. Gives that, or `error`.
 */
export async function absenceBehind(
  ctx: Context,
  caller: Caller,
  path: RepositoryPath,
  error: unknown,
): Promise<unknown> {
  if (isMeant(error) || path.owner === '' || path.repo === '') return error
  try {
    await loadVisible(ctx, caller, path)
    return error
  } catch (absence) {
    return isAbsence(absence) ? absence : error
  }
}

function isMeant(error: unknown): boolean {
  if (error instanceof Moved) return true
  if (!(error instanceof AppError) || error instanceof Deadlocked) return false
  return !isOfSomethingMissing(error) || error.reason === 'absent'
}

/**
 * A branch that is missing may be missing with its repository; where it is asked for as an object,
 * that is 400.
 */
function isOfSomethingMissing({ code }: AppError): boolean {
  return code === 'not_found' || code === 'bad_request'
}

/** The repository is not there, or has another name. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Moved || isNotFound(error)
}
