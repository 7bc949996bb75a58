import { issuesById } from '../../collaboration/issues/load.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { viewIssue } from '../../collaboration/issues/view.ts'
import { viewPull } from '../../collaboration/pulls/view.ts'
import { renderPull } from '../pulls/pull.ts'
import type { InShell } from '../repository/shell.ts'
import type { Visit } from '../repository/visit.ts'
import { renderIssue } from './issue.ts'
import type { Rejected } from './rejected.ts'

/** The page of an issue once more, with a form that was not taken. */
export async function showAgain(visit: Visit, issue: Issue, rejected: Rejected): Promise<InShell> {
  const { ctx } = visit
  const current = (await issuesById(ctx.db, [issue.id])).get(issue.id) ?? issue
  if (!current.isPull) return renderIssue(visit, await viewIssue(ctx.db, current), rejected)
  return renderPull(visit, await viewPull(ctx, visit.viewer, current), rejected)
}
