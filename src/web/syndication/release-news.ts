import { basePath } from '../../platform/config/urls.ts'
import type { Page } from '../../platform/db/page.ts'
import { listVisibleReleases } from '../../delivery/releases/load.ts'
import { viewReleases, type ReleaseView } from '../../delivery/releases/view.ts'
import { loadNotes, type Note } from '../issues/speech.ts'
import { assertReadsReleases } from '../releases/rights.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { permanentId, wholeAddress, withWholeAddresses } from './address.ts'
import type { Entry, News } from './document.ts'

const LATEST: Page = { number: 1, limit: 10, offset: 0 }

/** The releases of a repository with their notes; drafts are no news. */
export async function newsOfReleases(visit: Visit): Promise<News> {
  const { ctx, viewer, view, request } = visit
  assertReadsReleases(visit)
  const { items } = await listVisibleReleases(ctx, viewer, view, { isDraft: false }, LATEST)
  const releases = await viewReleases(ctx.db, items)
  const note = await loadNotes(
    visit,
    items.map((release) => release.note),
  )
  return {
    title: `Releases of ${view.owner.name}/${view.repo.name}`,
    leadsTo: wholeAddress(ctx.config, pathTo(visit, 'releases')),
    self: wholeAddress(ctx.config, basePath(ctx.config) + request.url),
    since: view.repo.createdAt,
    entries: await Promise.all(releases.map((release) => entryOf(visit, release, note))),
  }
}

async function entryOf(visit: Visit, { release, author }: ReleaseView, note: Note): Promise<Entry> {
  const { config } = visit.ctx
  const { tagName } = release
  const content = (await note(release.note, { kind: 'tag', name: tagName })).toString()
  return {
    id: permanentId(config, 'release', release.id),
    title: release.title || tagName,
    leadsTo: wholeAddress(config, pathTo(visit, 'releases', 'tag', tagName)),
    at: release.publishedAt ?? release.createdAt,
    author: author?.name,
    content: withWholeAddresses(config, content),
  }
}
