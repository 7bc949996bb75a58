import type { FastifyRequest } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { basePath } from '../platform/config/urls.ts'
import type { Router } from '../platform/http/router.ts'
import { pathOf } from '../platform/http/path.ts'
import { localPath } from './local-path.ts'
import { wantsPage } from './missing.ts'
import type { PageRoute } from './page-server.ts'

/**
 * For browsers, of an address that leads nowhere: the same without slashes at its end, where that
 * is one of ours.
 */
export function withoutLastSlash(
  config: Config,
  router: Router<PageRoute>,
  request: FastifyRequest,
): string | undefined {
  const path = pathOf(request)
  const shorter = path.replace(/\/+$/, '')
  if (shorter === path || request.method === 'POST' || !wantsPage(request)) return undefined
  if (!router.find(request.method, shorter)) return undefined
  return localPath(config, basePath(config) + shorter + request.url.slice(path.length))
}
