import type { FastifyRequest } from 'fastify'
import { anonymous, type Caller, type Context } from '../context.ts'

/** Who looks at a page. Programs show their tokens to the API; pages do not look at them. */
export async function viewerOf(_ctx: Context, _request: FastifyRequest): Promise<Caller> {
  return anonymous
}
