import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { keepingStyle } from '../repository/patch-style.ts'
import { repositoryPage, type Show } from '../repository/visit.ts'
import { showPullCommits } from './commits.ts'
import { showPullFiles } from './files.ts'
import { showPulls } from './list.ts'
import { changeBase, dropBranch, merge, turnDraft, update } from './merge.ts'
import { openPull, takeFilesOfPull } from './new.ts'
import { showPull } from './pull.ts'
import {
  answer,
  changeReviewers,
  changeSaid,
  dismiss,
  remark,
  review,
  resolveThread,
} from './review-actions.ts'
import type { PageServer } from '../page-server.ts'

/** Pull requests; what they share with issues is done there. */
export function pullRequestPages(server: PageServer, ctx: Context, site: Site): void {
  const pulls = '/:owner/:repo/pulls'
  const add = (path: string, show: Show) => server.get(path, repositoryPage(ctx, site, show))
  add(pulls, showPulls)
  add(`${pulls}/:index`, showPull)
  add(`${pulls}/:index/commits`, showPullCommits)
  const files = repositoryPage(ctx, site, showPullFiles)
  server.get(`${pulls}/:index/files`, keepingStyle(ctx.config, files))
  server.post(
    '/:owner/:repo/compare/*',
    repositoryForm(ctx, site, openPull, { takeFiles: takeFilesOfPull }),
  )
  const take = (path: string, act: (submitted: Submitted) => Promise<Done>) =>
    server.post(`${pulls}/:index/${path}`, repositoryForm(ctx, site, act))
  take('merge', merge)
  take('update', update)
  take('draft', turnDraft)
  take('branch', dropBranch)
  take('base', changeBase)
  take('reviews', review)
  take('reviews/:id/dismissal', dismiss)
  take('reviewers', changeReviewers)
  take('files', remark)
  take('comments/:id', changeSaid)
  take('comments/:id/replies', answer)
  take('comments/:id/settled', resolveThread)
}
