import type { FastifyRequest } from 'fastify'
import { anonymous } from '../context.ts'
import { clientOf } from '../repositories/takers.ts'

/** Who gets a share: the account that asks, or the network of who has none. */
export function clientOfRequest({ caller, ip }: FastifyRequest): string {
  return clientOf(caller ?? anonymous, ip)
}
