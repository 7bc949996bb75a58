import { AppError } from '../errors.ts'

/**
 * A row names another that is not there: somebody has deleted it meanwhile, or it was never there.
 */
export class MissingParent extends AppError {
  constructor(cause: unknown) {
    super('not_found', 'not found', { cause })
  }
}

const POSTGRES_CODE = '23503'
const SQLITE_CODE = 787
/**
 * SQLite counts an activity before it looks for its actor, who is not there to say how far it is
 * counted.
 */
const uncounted = 'NOT NULL constraint failed: actor_tally.actor_reach'

/** Whether a driver says so of what it was asked. */
export function saysMissingParent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown }
  return code === POSTGRES_CODE || errcode === SQLITE_CODE || message === uncounted
}
