import type { Commit } from '../../platform/git/parse.ts'
import type { MergedPull } from '../../collaboration/pulls/pull.ts'

/** A line of the notes of a release. */
export type Change =
  | { readonly kind: 'pull'; readonly pull: MergedPull }
  | { readonly kind: 'commit'; readonly commit: Commit }

/**
 * The pull requests that came with these commits, each once, and the commits that came without one.
 * It follows the base branch: from what a pull request brought to where the branch was before.
 * Of those that were rebased it is told how many commits they brought.
 */
export function changesOf(
  commits: readonly Commit[],
  head: string,
  pulls: readonly MergedPull[],
  rebased: ReadonlyMap<MergedPull, number>,
): readonly Change[] {
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  const byMerge = new Map(pulls.map((pull) => [pull.mergeCommitId, pull]))
  const changes: Change[] = []
  const told = new Set<MergedPull>()
  let at = byId.get(head)
  while (at) {
    byId.delete(at.id)
    const pull = byMerge.get(at.id)
    if (pull) told.add(pull)
    changes.push(pull ? { kind: 'pull', pull } : { kind: 'commit', commit: at })
    at = byId.get(beforeOf(at, pull))
    for (let left = (pull && rebased.get(pull)) ?? 1; at && left > 1; left--) {
      at = byId.get(beforeOf(at, undefined))
    }
  }
  const others = pulls.filter((pull) => !told.has(pull))
  return [...changes, ...others.map((pull) => ({ kind: 'pull' as const, pull }))]
}

/** Where the branch was before a commit. A merge and a squash have it as their first parent. */
function beforeOf({ id, parents }: Commit, pull: MergedPull | undefined): string {
  const isForwarded = pull?.headCommitId === id && pull.mergeBase !== id
  return isForwarded ? pull.mergeBase : (parents[0] ?? '')
}
