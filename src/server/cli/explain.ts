import { ConfigError } from '../../platform/config/config.ts'
import { EditedMigrationError, NewerDatabaseError } from '../../platform/db/migrate.ts'
import { DatabaseFileError } from '../../platform/db/sqlite-file.ts'
import { DatabaseGone } from '../../platform/db/unavailable.ts'
import { AppError } from '../../platform/errors.ts'
import { GitMissingError } from '../../platform/git/version.ts'
import { StartRefused } from '../startup/refusal.ts'

const expected = [
  AppError,
  ConfigError,
  NewerDatabaseError,
  EditedMigrationError,
  DatabaseFileError,
  GitMissingError,
  StartRefused,
]

/**
 * What went wrong, in one line where an operator can do something about it; anything else is a
 * fault of ours.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isExpected(error)) return messageOf(error)
  return error.stack ?? error.message
}

function isExpected(error: Error): boolean {
  if (expected.some((kind) => error instanceof kind)) return true
  return 'code' in error && typeof error.code === 'string'
}

/** Such as that there is no such database: it refuses all that is asked on the connection. */
function isFromPostgres(error: Error): boolean {
  return 'severity' in error && error.severity === 'FATAL'
}

/**
 * A refused connection to several addresses at once has a message for each, and none of its own.
 */
function messageOf(error: Error): string {
  if (error instanceof DatabaseGone) {
    return `${error.message} (${explain(error.cause)}): look at database.url`
  }
  if (isFromPostgres(error)) return `database.url: ${error.message}`
  if (error.message !== '') return error.message
  if (error instanceof AggregateError) return error.errors.map((one) => explain(one)).join('; ')
  return error.name
}
