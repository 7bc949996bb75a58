import type { Caller, Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { readsPulls } from './load.ts'
import { findPullOfPair } from './queries.ts'
import { loadBranch, loadHead, type Side } from './sides.ts'

/** Two branches of which one could be pulled into the other. */
export interface Prospect {
  readonly base: string
  readonly head: Side
  /** The pull request that does so already. */
  readonly open: Issue | undefined
}

/** Nothing where one of the two is no branch, or both are the same. */
export async function findProspect(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  { base, head: text }: { readonly base: string; readonly head: string },
): Promise<Prospect | undefined> {
  if (!readsPulls(view)) return undefined
  try {
    await loadBranch(ctx, view.repo, base)
    const head = await loadHead(ctx, caller, view, text)
    const isSame = head.repo.id === view.repo.id && head.branch === base
    return isSame ? undefined : { base, head, open: await findOpen(ctx, view, base, head) }
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function findOpen(
  ctx: Context,
  { repo }: RepositoryView,
  baseBranch: string,
  head: Side,
): Promise<Issue | undefined> {
  const pair = {
    repositoryId: repo.id,
    baseBranch,
    headRepositoryId: head.repo.id,
    headBranch: head.branch,
  }
  const pull = await findPullOfPair(ctx.db, pair, { onlyOpen: true })
  return pull && (await issuesById(ctx.db, [pull.issueId])).get(pull.issueId)
}
