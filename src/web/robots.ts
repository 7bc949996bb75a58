import { basePath } from '../platform/config/urls.ts'
import type { Config } from '../platform/config/config.ts'
import type { Context } from '../platform/context.ts'
import type { PageServer } from './page-server.ts'
import { sendDocument } from './send-document.ts'

/**
 * Of these a repository has one for each commit, or more: whoever follows every link never comes to
 * an end.
 */
const countless = [
  'archive/',
  'atom/',
  'blame/',
  'commit/',
  'commits/',
  'compare/',
  'find/',
  'media/',
  'raw/',
  'rss/',
  'search?',
  'src/commit/',
]
/** For programs that know what they want, and for people who sign in. */
const elsewhere = ['/api/', '/user/', '/-/']

export function robotsRoutes(server: PageServer, { config }: Context): void {
  const text = config.server.robots || rulesFor(config)
  server.get('/robots.txt', async (_request, reply) =>
    sendDocument(reply, { type: 'text/plain; charset=utf-8', text }),
  )
}

/** What crawlers are asked to leave alone. */
function rulesFor(config: Config): string {
  const root = basePath(config)
  const left =
    config.security.require_sign_in === 'true'
      ? ['/']
      : [...elsewhere, ...countless.map((page) => `/*/*/${page}`)]
  return ['User-agent: *', ...left.map((path) => `Disallow: ${root}${path}`), ''].join('\n')
}
