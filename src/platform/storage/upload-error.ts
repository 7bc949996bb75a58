import { AppError, type ErrorCode } from '../errors.ts'

/** Why a file was not taken. What that means to a client differs from address to address. */
export type UploadFailure =
  | 'no_file'
  | 'no_name'
  | 'forbidden_type'
  | 'too_large'
  | 'too_slow'
  | 'wrong_digest'
  | 'storage_full'
  | 'storage_failed'

export class UploadError extends Error {
  override readonly name = 'UploadError'
  readonly failure: UploadFailure

  constructor(failure: UploadFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

export type FailureCodes = Readonly<Record<UploadFailure, ErrorCode>>

/** The failure as the address tells it. */
export function asAppError(error: unknown, codes: FailureCodes): unknown {
  if (!(error instanceof UploadError)) return error
  return new AppError(codes[error.failure], error.message, { cause: error })
}
