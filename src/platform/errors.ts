import type { Reason } from './reason.ts'

/** What can go wrong, in the domain's words. `platform/http/errors.ts` gives each its status. */
export type ErrorCode =
  | 'invalid'
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'method_not_allowed'
  | 'locked'
  | 'too_large'
  | 'url_too_long'
  | 'too_slow'
  | 'upload_failed'
  | 'insufficient_storage'
  | 'too_many_requests'
  | 'unavailable'

/** Something that was filled in, and which rule it does not keep. */
export interface BrokenRule {
  readonly field: string
  readonly rule: string
}

export interface AppErrorOptions extends ErrorOptions {
  readonly reason?: Reason | undefined
  /** The name, text or number that the reason is about. */
  readonly subject?: string
  readonly broken?: BrokenRule | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** The contract answers some failures with their text alone. */
  readonly plain?: boolean
  /** The contract leaves the address of the description out of some answers. */
  readonly bare?: boolean
  /** The contract gives some refusals no words at all. */
  readonly empty?: boolean
  /** What the answer says beside the message, in place of that address. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly reason: Reason | undefined
  /** Empty where the reason says it all. */
  readonly subject: string
  readonly broken: BrokenRule | undefined
  readonly retryAfter: number | undefined
  readonly bare: boolean
  readonly plain: boolean
  readonly empty: boolean
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.reason = options.reason
    this.subject = options.subject ?? ''
    this.broken = options.broken
    this.retryAfter = options.retryAfter
    this.bare = options.bare ?? false
    this.plain = options.plain ?? false
    this.empty = options.empty ?? false
    this.details = options.details
  }
}

/** What is known of something that was refused. */
export type Refusal = Pick<AppError, 'reason' | 'subject' | 'message'>

/** Without a message nothing is told of what is missing. */
export function notFound(message?: string, options?: AppErrorOptions): AppError {
  if (message === undefined) return new AppError('not_found', 'not found', { reason: 'absent' })
  return new AppError('not_found', message, options)
}

export function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found'
}

export function invalid(message: string, options?: AppErrorOptions): AppError {
  return new AppError('invalid', message, options)
}

/** A field of a body, by its logical name, that does not keep a rule. */
export function invalidField(field: string, rule: string): AppError {
  return invalid(`[${field}]: ${rule}`, { broken: { field, rule } })
}

export function forbidden(message: string, options?: AppErrorOptions): AppError {
  return new AppError('forbidden', message, options)
}

/** Whether the system, or the database, gave one of these as the reason. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/**
 * A number of a path in a message: what is beyond ours is told as the last that the contract has.
 */
export function numberText(number: number): string {
  if (number >= Number.MAX_SAFE_INTEGER) return '9223372036854775807'
  return number <= Number.MIN_SAFE_INTEGER ? '-9223372036854775808' : String(number)
}

/** A segment of a path, and what stands there now. */
export interface Renamed {
  readonly from: string
  readonly to: string
}

/** The path names something that has moved: the caller is sent there. */
export class Moved extends Error {
  override readonly name = 'Moved'
  readonly kind: 'account' | 'repository'
  /** In the order of the path. */
  readonly segments: readonly Renamed[]

  constructor(kind: 'account' | 'repository', segments: readonly Renamed[]) {
    super(segments.map(({ from, to }) => `${from} is now ${to}`).join(', '))
    this.kind = kind
    this.segments = segments
  }
}
