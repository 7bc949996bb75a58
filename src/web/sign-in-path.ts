import type { FastifyRequest } from 'fastify'
import { basePath } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'

/** Where to sign in, and from there back to this page. */
export function signInPath(
  { config }: Pick<Context, 'config'>,
  { method, url }: FastifyRequest,
): string {
  const path = `${basePath(config)}/user/login`
  if (method === 'POST') return path
  return `${path}?redirect_to=${encodeURIComponent(basePath(config) + url)}`
}
