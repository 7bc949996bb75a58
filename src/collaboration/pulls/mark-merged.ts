import type { Context } from '../../platform/context.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import { readTip } from '../../platform/git/tip.ts'
import { setClosed } from '../issues/close.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import { heedMerge } from '../issues/obey-words.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Account } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import type { FoundPull } from './load.ts'
import { findPull, updatePull } from './queries.ts'
import { isAsAllowed, Outrun } from './standing.ts'

export interface Merged {
  readonly commitId: string
  readonly actor: Account
  /** Where the base branch is by it. */
  readonly baseCommitId: string
  /** Nobody asked for it at this moment. */
  readonly isAutomatic?: boolean
  /** What it changes, where the record no longer says so. */
  readonly changed?: Changes<'pull_request'> | undefined
  /** What it was allowed by. */
  readonly standing?: string
}

/** Closes a pull request whose commits are in the base branch. False when somebody else has. */
export async function markMerged(
  ctx: Context,
  repo: Repository,
  issue: Issue,
  { commitId, actor, baseCommitId, isAutomatic = false, changed, standing }: Merged,
): Promise<boolean> {
  const isDone = await changeIssue(ctx, issue, async (tx, current) => {
    const pull = await findPull(tx, issue.id)
    if (!pull || pull.isMerged) return false
    if (standing !== undefined && !(await isAsAllowed(tx, current, standing))) throw new Outrun()
    await updatePull(tx, issue.id, {
      ...changed,
      is_merged: 1,
      merged_at: ctx.now(),
      merged_by_id: actor.id,
      merge_commit_id: commitId,
      base_commit_id: baseCommitId,
      auto_merge: '',
      auto_merge_by_id: null,
    })
    const told = {
      event: { kind: 'merge_pull' as const },
      activity: isAutomatic
        ? ('auto_merge_pull_request' as const)
        : ('merge_pull_request' as const),
      content: `${current.number}|${current.title}`,
      showsEvent: false,
    }
    if (!current.isClosed) await setClosed(ctx, tx, actor, repo, current, true, told)
    if (pull.baseBranch === repo.defaultBranch) await heedMerge(ctx, tx, actor.id, current)
    return true
  })
  ctx.jobs.wake()
  return isDone
}

/** A merge that moved the branch and did not live to say so. */
export async function finishMerge(
  ctx: Context,
  repo: Repository,
  { issue, pull }: FoundPull,
): Promise<boolean> {
  const { mergeCommitId: commitId, mergedById = 0 } = pull
  if (pull.isMerged || issue.isClosed || commitId === '') return false
  const folder = folderOf(ctx, repo)
  const tip = await readTip(folder, pull.baseBranch)
  const actor = await findById(ctx, mergedById)
  if (tip === undefined || !actor) return false
  if (!(await isAncestor(ctx.git, folder, { base: commitId, head: tip }))) return false
  return markMerged(ctx, repo, issue, { commitId, actor, baseCommitId: tip })
}
