import type { PoolClient } from 'pg'
import { AppError, hasCode } from '../errors.ts'
import { MissingParent, saysMissingParent } from './missing-parent.ts'

const RETRY_SECONDS = 5

/**
 * PostgreSQL cannot be reached, or was lost in the middle of something; or another program keeps
 * SQLite to itself.
 */
export class DatabaseGone extends AppError {
  /** The connection broke while it was asked to commit: nobody knows whether it did. */
  readonly mayHaveCommitted: boolean

  constructor(cause: unknown, wasCommitting: boolean) {
    super('unavailable', 'the database does not answer', { cause, retryAfter: RETRY_SECONDS })
    this.mayHaveCommitted = wasCommitting
  }
}

/**
 * Two waited for each other, and PostgreSQL has undone what this one did: whoever asks again gets
 * through.
 */
export class Deadlocked extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'somebody else was changing the same', { cause, retryAfter: 1 })
  }
}

const TRIES = 3

/**
 * For what holds so much that it may well wait for somebody who waits for it: it is done anew then.
 */
export async function despiteDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Deadlocked) || tries === TRIES) throw error
    }
  }
}

/** Then what was made for the record stays, and is swept when there turns out to be none. */
export function mayHaveCommitted(error: unknown): boolean {
  return error instanceof DatabaseGone && error.mayHaveCommitted
}

/**
 * Also where PostgreSQL takes our name or password no more: until somebody mends that, it is as
 * good as gone.
 */
const lostCodes =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ENOENT|EAI_AGAIN|08\w{3}|57P0[123]|53300|28000|28P01)$/
const lostWords =
  /^(?:Connection terminated|timeout expired|Client has encountered|Client was closed|Query read timeout)/

/** Whether `error` says that there is no connection, and nothing about what was asked. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof AggregateError) return error.errors.some(isLost)
  return lostCodes.test(String(code)) || lostWords.test(error.message)
}

/**
 * From now on a lost connection is told as such, and so are a deadlock and a row that names what is
 * not there. What somebody works with has no listener of the pool's, and its error would end the
 * process.
 */
export function guardClient(client: PoolClient): void {
  client.on('error', () => undefined)
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
  // After a commit that fails a rollback is tried, and its failure is what the caller hears.
  let wasCommitting = false
  client.query = ((...parameters: unknown[]) => {
    const answer = query(...parameters)
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      if (saysMissingParent(error)) throw new MissingParent(error)
      if (hasCode(error, '40P01')) throw new Deadlocked(error)
      if (!isLost(error)) throw error
      wasCommitting ||= isCommit(parameters[0])
      throw new DatabaseGone(error, wasCommitting)
    })
  }) as typeof client.query
}

function isCommit(asked: unknown): boolean {
  const text = typeof asked === 'string' ? asked : (asked as { text?: unknown } | null)?.text
  return text === 'commit'
}
