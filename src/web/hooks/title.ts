import type { FastifyRequest } from 'fastify'

/** What a page of webhooks is, by its address; the list is what its section says. */
export function hookTitle({ pattern = '' }: Pick<FastifyRequest, 'pattern'>): string | undefined {
  if (pattern.endsWith('/hooks/new')) return 'New webhook'
  if (pattern.endsWith('/deliveries/:delivery')) return 'Delivery'
  return pattern.endsWith('/hooks/:id') ? 'Webhook' : undefined
}
