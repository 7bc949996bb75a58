import { AppError } from '../errors.ts'

/** A row names another that is not there: somebody has deleted it meanwhile, or it was never there. */
export class MissingParent extends AppError {
  constructor(cause: unknown) {
    super('not_found', 'not found', { cause })
  }
}

const POSTGRES_CODE = '23503'
const SQLITE_CODE = 787

/** Whether a driver says so of what it was asked. */
export function saysMissingParent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === POSTGRES_CODE || errcode === SQLITE_CODE
}
