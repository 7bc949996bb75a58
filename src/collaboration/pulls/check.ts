import type { Context } from '../../platform/context.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { findMergeBase } from '../../platform/git/merge-base.ts'
import { listConflicts, mergeTree } from '../../platform/git/merge-tree.ts'
import { listComparedFiles } from '../../platform/git/range-files.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isChecked, type Pull } from './pull.ts'
import { updateChecked } from './queries.ts'

export interface Commits {
  readonly base: string
  readonly head: string
}

/** Whether contradictions in the amount of white space are none in this repository. */
export function ignoresSpace({ units }: Pick<RepositoryView, 'units'>): boolean {
  return units.settings('repo.pulls')?.ignoreWhitespaceConflicts ?? false
}

/** What git says of two commits that are to be merged: as it is kept. */
export async function checkCommits(
  ctx: Context,
  view: RepositoryView,
  commits: Commits,
): Promise<Changes<'pull_request'>> {
  const folder = folderOf(ctx, view.repo)
  const { base, head } = commits
  const mergeBase = await findMergeBase(ctx.git, folder, commits)
  const checked = {
    checked_base: base,
    checked_head: head,
    checked_ignoring_space: ignoresSpace(view) ? (1 as const) : (0 as const),
    merge_base: mergeBase ?? '',
  }
  const nothing = { additions: 0, deletions: 0, changed_files: 0 }
  if (mergeBase === undefined) return { ...checked, ...nothing, is_conflicting: 1 }
  const files = await listComparedFiles(ctx.git, folder, { base: mergeBase, head })
  return {
    ...checked,
    is_conflicting: (await isClean(ctx, view, commits, mergeBase)) ? 0 : 1,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  }
}

/** Where one has all of the other there is nothing to contradict. */
async function isClean(
  ctx: Context,
  view: RepositoryView,
  { base, head }: Commits,
  mergeBase: string,
): Promise<boolean> {
  if (mergeBase === base || mergeBase === head) return true
  const sides = { ours: base, theirs: head, ignoresSpace: ignoresSpace(view) }
  return (await mergeTree(ctx.git, folderOf(ctx, view.repo), sides)) !== undefined
}

/** The files for which it cannot be merged, as far as git tells. */
export async function conflictsOf(
  ctx: Context,
  { repo }: RepositoryView,
  { isConflicting, baseCommitId: ours, headCommitId: theirs }: Pull,
): Promise<readonly string[]> {
  return isConflicting ? listConflicts(ctx.git, folderOf(ctx, repo), { ours, theirs }) : []
}

/** The pull request as git sees it now; a merged one is as it was. */
export async function refreshCheck(ctx: Context, view: RepositoryView, pull: Pull): Promise<Pull> {
  if (pull.isMerged || isChecked(pull, ignoresSpace(view))) return pull
  const { baseCommitId: base, headCommitId: head } = pull
  const outcome = await checkCommits(ctx, view, { base, head })
  return (await updateChecked(ctx.db, pull, outcome)) ?? pull
}
