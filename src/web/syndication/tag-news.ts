import { basePath } from '../../platform/config/urls.ts'
import type { Page } from '../../platform/db/page.ts'
import { listTags, type NamedTag } from '../../code/tags/tags.ts'
import { assertReadsCode, codePath } from '../repository/source.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { permanentId, wholeAddress } from './address.ts'
import type { Entry, News } from './document.ts'
import { messageIn } from './message.ts'

const LATEST: Page = { number: 1, limit: 10, offset: 0 }

/** The tags of a repository, also those of which nobody made a release. */
export async function newsOfTags(visit: Visit): Promise<News> {
  const { ctx, view, request } = visit
  assertReadsCode(visit)
  const { items } = view.repo.isEmpty ? { items: [] } : await listTags(ctx, view.repo, LATEST)
  return {
    title: `Tags of ${view.owner.name}/${view.repo.name}`,
    leadsTo: wholeAddress(ctx.config, pathTo(visit, 'tags')),
    self: wholeAddress(ctx.config, basePath(ctx.config) + request.url),
    since: view.repo.createdAt,
    entries: items.map((tag) => entryOf(visit, tag)),
  }
}

/** A tag that is moved is news again. */
function entryOf(visit: Visit, { name, id, message, at }: NamedTag): Entry {
  const { config } = visit.ctx
  const leadsTo = wholeAddress(config, codePath(visit, 'src', { kind: 'tag', name }))
  return {
    id: permanentId(config, 'tag', `${visit.view.repo.id}/${encodeURIComponent(name)}/${id}`),
    title: name,
    leadsTo,
    at: at.at,
    author: at.name,
    content: messageIn(message, leadsTo),
  }
}
