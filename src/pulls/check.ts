import type { Context } from '../context.ts'
import type { Changes } from '../db/schema.ts'
import { findMergeBase } from '../git/merge-base.ts'
import { mergeTree } from '../git/merge-tree.ts'
import { listComparedFiles } from '../git/range-files.ts'
import { isChecked, type Pull } from './pull.ts'
import { updateChecked } from './queries.ts'

export interface Commits {
  readonly base: string
  readonly head: string
}

/** What git says of two commits that are to be merged: as it is kept. */
export async function checkCommits(
  ctx: Context,
  folder: string,
  commits: Commits,
): Promise<Changes<'pull_request'>> {
  const { base, head } = commits
  const mergeBase = await findMergeBase(ctx.git, folder, commits)
  const checked = { checked_base: base, checked_head: head, merge_base: mergeBase ?? '' }
  const nothing = { additions: 0, deletions: 0, changed_files: 0 }
  if (mergeBase === undefined) return { ...checked, ...nothing, is_conflicting: 1 }
  const files = await listComparedFiles(ctx.git, folder, { base: mergeBase, head })
  return {
    ...checked,
    is_conflicting: (await isClean(ctx, folder, commits, mergeBase)) ? 0 : 1,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  }
}

/** Where one has all of the other there is nothing to contradict. */
async function isClean(
  ctx: Context,
  folder: string,
  { base, head }: Commits,
  mergeBase: string,
): Promise<boolean> {
  if (mergeBase === base || mergeBase === head) return true
  return (await mergeTree(ctx.git, folder, { ours: base, theirs: head })) !== undefined
}

/** The pull request as git sees it now; a merged one is as it was. */
export async function refreshCheck(ctx: Context, folder: string, pull: Pull): Promise<Pull> {
  if (pull.isMerged || isChecked(pull)) return pull
  const { baseCommitId: base, headCommitId: head } = pull
  const outcome = await checkCommits(ctx, folder, { base, head })
  return (await updateChecked(ctx.db, pull, outcome)) ?? pull
}
