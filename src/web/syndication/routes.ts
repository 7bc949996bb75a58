import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import type { Handler } from '../look.ts'
import type { PageServer } from '../page-server.ts'
import { repositoryPage, type Show, type Visit } from '../repository/visit.ts'
import { newsOfRepository } from './activity-news.ts'
import { splitFormat } from './address.ts'
import { newsOfBranch } from './commit-news.ts'
import { writeNews, type Format, type News } from './document.ts'
import { newsOfReleases } from './release-news.ts'
import { newsOfTags } from './tag-news.ts'

export function newsPages(server: PageServer, ctx: Context, site: Site): void {
  const add = (path: string, show: Show) =>
    server.get(`/:owner/:repo${path}`, repositoryPage(ctx, site, show))
  for (const format of ['atom', 'rss'] as const) {
    add(`/releases.${format}`, showing(newsOfReleases, format))
    add(`/tags.${format}`, showing(newsOfTags, format))
    add(`/${format}/branch/*`, showing(newsOfBranch, format))
  }
}

/** Its first page, or its news where the name has such an ending. */
export function firstPageOrNews(ctx: Context, site: Site, firstPage: Handler): Handler {
  return async (request, reply) => {
    const params = request.params as Readonly<Record<string, string>>
    const { name, format } = splitFormat(params['repo'] ?? '')
    if (!format) return firstPage(request, reply)
    request.params = { ...params, repo: name }
    return repositoryPage(ctx, site, showing(newsOfRepository, format))(request, reply)
  }
}

function showing(find: (visit: Visit) => Promise<News>, format: Format): Show {
  return async (visit) => ({ document: writeNews(await find(visit), format) })
}
