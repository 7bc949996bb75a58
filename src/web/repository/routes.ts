import type { Context } from '../../platform/context.ts'
import { findImportPage } from '../import-repository.ts'
import type { Site } from '../layout.ts'
import { firstPageOrNews, newsPages } from '../syndication/routes.ts'
import { showActivity } from './activity.ts'
import { takeMark } from './audience.ts'
import { showForks, showStars, showWatchers } from './audience-pages.ts'
import { showBlame } from './blame.ts'
import {
  assertMayChangeRefs,
  takeBranchDelete,
  takeNewBranch,
  takeRename,
  takeTagDelete,
} from './change-refs.ts'
import { showHome, showSource } from './code.ts'
import { showCommit } from './commit.ts'
import { showCommits } from './commits.ts'
import { showCompareChoice, showComparison } from './compare.ts'
import { pageOrText } from './compared-text.ts'
import { showFinder } from './find.ts'
import { fork, showFork } from './fork.ts'
import { repositoryForm, type Done, type Submitted } from './form.ts'
import { generate, showGeneration } from './generate.ts'
import { offerPages } from './offer-pages.ts'
import { keepingStyle } from './patch-style.ts'
import { showBranches, showTags } from './refs.ts'
import { showLatestRelease, showRelease, showReleases } from './releases.ts'
import { showSearch } from './search.ts'
import { leadToKind, leadToSearch } from './short-addresses.ts'
import { repositoryPage, type Show } from './visit.ts'
import type { PageServer } from '../page-server.ts'

/** The pages of a repository: the shell is around each of them. */
export function repositoryPages(server: PageServer, ctx: Context, site: Site): void {
  const add = (path: string, show: Show) =>
    server.get(`/:owner/:repo${path}`, repositoryPage(ctx, site, show))
  const patchPage = (show: Show) => keepingStyle(ctx.config, repositoryPage(ctx, site, show))

  const firstPage = repositoryPage(ctx, site, showHome, findImportPage)
  server.get('/:owner/:repo', firstPageOrNews(ctx, site, firstPage))
  newsPages(server, ctx, site)
  for (const kind of ['branch', 'tag', 'commit'] as const) {
    add(`/src/${kind}/*`, showSource(kind))
    add(`/commits/${kind}/*`, showCommits(kind))
    add(`/blame/${kind}/*`, showBlame(kind))
    add(`/find/${kind}/*`, showFinder(kind))
    add(`/search/${kind}/*`, showSearch(kind))
  }
  for (const section of ['src', 'raw', 'media', 'commits'] as const) {
    add(`/${section}/*`, leadToKind(section))
  }
  add('/search', leadToSearch)
  server.get('/:owner/:repo/commit/:sha', patchPage(showCommit))
  add('/compare', showCompareChoice)
  server.get('/:owner/:repo/compare/*', pageOrText(ctx, patchPage(showComparison)))
  add('/branches', (visit) => showBranches(visit))
  add('/tags', (visit) => showTags(visit))
  add('/releases', showReleases)
  add('/releases/latest', showLatestRelease)
  add('/releases/tag/*', showRelease)
  add('/activity', showActivity)
  add('/stars', showStars)
  add('/watchers', showWatchers)
  add('/forks', showForks)
  add('/fork', (visit) => showFork(visit))
  server.post('/:owner/:repo/fork', repositoryForm(ctx, site, fork))
  add('/generate', (visit) => showGeneration(visit))
  server.post('/:owner/:repo/generate', repositoryForm(ctx, site, generate))
  offerPages(server, ctx, site)
  const takeRefs = (path: string, take: (submitted: Submitted) => Promise<Done>) =>
    server.post(
      `/:owner/:repo${path}`,
      repositoryForm(ctx, site, take, { admit: assertMayChangeRefs }),
    )
  takeRefs('/branches/new', takeNewBranch)
  takeRefs('/branches/rename', takeRename)
  takeRefs('/branches/delete', takeBranchDelete)
  takeRefs('/tags/delete', takeTagDelete)
  server.post('/:owner/:repo/action/:action', repositoryForm(ctx, site, takeMark))
}
