import { presentCommits, withPageHeaders } from '../../code/commits/routes.ts'
import { linksOf, type Links } from '../../code/commits/present.ts'
import { encodePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { ComparedFile } from '../../platform/git/range-files.ts'
import { readWhitespace } from '../../platform/git/whitespace.ts'
import type { Api } from '../../platform/http/api.ts'
import { listPullCommits, listPullFiles } from './content.ts'
import { loadCheckedPull } from './load.ts'
import { loadPullsOfPath } from './routes.ts'
import {
  repoGetPullRequestCommits,
  repoGetPullRequestFiles,
  type ChangedFileBody,
} from './schema.ts'

/** What a pull request changes. */
export function pullContentRoutes(api: Api, ctx: Context): void {
  const pull = '/repos/:owner/:repo/pulls/:index'

  api.get(`${pull}/files`, repoGetPullRequestFiles, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const found = await loadCheckedPull(ctx, view, call.id('index'))
    const options = {
      whitespace: readWhitespace(call.query.text('whitespace')),
      skipTo: call.query.text('skip-to') ?? '',
    }
    const files = await listPullFiles(ctx, view.repo, found.pull, options, call.page)
    const links = linksOf(ctx.config, view)
    const answer = call.list(files, (file) => presentFile(links, found.pull.headCommitId, file))
    return withPageHeaders(call, answer, files.total)
  })

  api.get(`${pull}/commits`, repoGetPullRequestCommits, async (call) => {
    const view = await loadPullsOfPath(ctx, call)
    const found = await loadCheckedPull(ctx, view, call.id('index'))
    const commits = await listPullCommits(ctx, view.repo, found.pull, call.page)
    const answer = call.listOf(commits, await presentCommits(ctx, call, view, commits.items))
    return withPageHeaders(call, answer, commits.total)
  })
}

function presentFile(links: Links, commitId: string, file: ComparedFile): ChangedFileBody {
  const path = encodePath(file.path)
  return {
    filename: file.path,
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
    status: file.kind,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    html_url: `${links.page}/src/commit/${commitId}/${path}`,
    contents_url: `${links.api}/contents/${path}?ref=${commitId}`,
    raw_url: `${links.page}/raw/commit/${commitId}/${path}`,
  }
}
