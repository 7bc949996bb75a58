import type { FastifyReply } from 'fastify'
import { AppError } from '../platform/errors.ts'

export interface Waiting {
  readonly message: string
  readonly status: 429 | 503
}

/**
 * Tells people and programs when to try again, where that is what keeps a form from being taken.
 */
export function mustWait(reply: FastifyReply, error: unknown): Waiting | undefined {
  if (!(error instanceof AppError) || error.retryAfter === undefined) return undefined
  const minutes = Math.ceil(error.retryAfter / 60)
  reply.header('retry-after', String(Math.ceil(error.retryAfter)))
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const message = `Too many tries. Wait ${time}, then try again.`
  return { message, status: error.code === 'unavailable' ? 503 : 429 }
}
