import { listCommits } from '../../code/commits/list.ts'
import { basePath } from '../../platform/config/urls.ts'
import { loadPlace } from '../../code/content/find.ts'
import type { Page } from '../../platform/db/page.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { subjectOf } from '../repository/commit-line.ts'
import { assertReadsCode, codePath } from '../repository/source.ts'
import { pathTo, restOf, type Visit } from '../repository/visit.ts'
import { permanentId, wholeAddress } from './address.ts'
import type { Entry, News } from './document.ts'
import { messageIn } from './message.ts'

const LATEST: Page = { number: 1, limit: 30, offset: 0 }

/** The commits of a branch, or those that changed something at a path of it. */
export async function newsOfBranch(visit: Visit): Promise<News> {
  const { ctx, view, request } = visit
  assertReadsCode(visit)
  const { revision, path } = await loadPlace(ctx, view.repo, 'branch', restOf(visit))
  const range = { revision: revision.commitId, path }
  const { items } = await listCommits(ctx, view.repo, range, LATEST)
  const place = [view.owner.name, view.repo.name, ...(path === '' ? [] : [path])].join('/')
  return {
    title: `Commits of ${place} at ${revision.name}`,
    leadsTo: wholeAddress(ctx.config, codePath(visit, 'commits', revision, path)),
    self: wholeAddress(ctx.config, basePath(ctx.config) + request.url),
    since: view.repo.createdAt,
    entries: items.map((commit) => entryOf(visit, commit)),
  }
}

function entryOf(visit: Visit, commit: Commit): Entry {
  const { config } = visit.ctx
  const { id, author, committer, message } = commit
  const leadsTo = wholeAddress(config, pathTo(visit, 'commit', id))
  return {
    id: permanentId(config, 'commit', id),
    title: subjectOf(commit),
    leadsTo,
    at: committer.at,
    author: author.name,
    content: messageIn(message, leadsTo),
  }
}
