import type { FastifyRequest } from 'fastify'

/** A script would follow where a form leads, and load the page in vain. */
export function isOfScript({ headers }: FastifyRequest): boolean {
  return headers.accept === 'application/json'
}
