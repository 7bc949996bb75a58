import { AppError } from '../../platform/errors.ts'

/**
 * What went wrong with another server, without its address: where a name leads is nobody's
 * business.
 */
export function complaintOf(error: unknown): string {
  const { name, message, code } = error as Error & { readonly code?: unknown }
  if (name === 'TimeoutError') return 'it took too long'
  if (error instanceof AppError || typeof code !== 'string') return message
  return `the remote cannot be reached: ${code}`
}
