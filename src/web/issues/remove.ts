import { removeIssue } from '../../collaboration/issues/remove.ts'
import { forgetHead } from '../../collaboration/pulls/forget-head.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import { withNotice } from '../forms/settings.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { pathTo } from '../repository/visit.ts'
import { loadForChange } from './change.ts'

/** An issue or a pull request, for good. */
export async function remove(submitted: Submitted): Promise<Done> {
  const { ctx, view } = submitted
  const issue = await loadForChange(submitted)
  assertAdministers(view)
  await removeIssue(ctx, issue)
  if (!issue.isPull) return { leadsTo: withNotice(pathTo(submitted, 'issues'), 'issue-deleted') }
  await forgetHead(ctx, view.repo, issue.number)
  return { leadsTo: withNotice(pathTo(submitted, 'pulls'), 'pull-deleted') }
}
