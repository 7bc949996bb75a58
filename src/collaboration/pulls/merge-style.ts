import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import { makeCommit } from '../../platform/git/make-commit.ts'
import { mergeTree } from '../../platform/git/merge-tree.ts'
import type { Signature } from '../../platform/git/parse.ts'
import { replayCommits } from '../../platform/git/replay.ts'
import type { Reason } from '../../platform/reason.ts'
import type { PullSettings } from '../../repositories/repository/units.ts'

export const mergeStyles = [
  'merge',
  'rebase',
  'rebase-merge',
  'squash',
  'fast-forward-only',
  'manually-merged',
] as const

export type MergeStyle = (typeof mergeStyles)[number]

export function isStyleAllowed(settings: PullSettings | undefined, style: MergeStyle): boolean {
  switch (style) {
    case 'merge':
      return settings?.allowMerge ?? false
    case 'rebase':
      return settings?.allowRebase ?? false
    case 'rebase-merge':
      return settings?.allowRebaseMerge ?? false
    case 'squash':
      return settings?.allowSquash ?? false
    case 'fast-forward-only':
      return settings?.allowFastForwardOnly ?? false
    case 'manually-merged':
      return settings?.allowManualMerge ?? false
  }
}

/** Two commits of one repository, and who puts them together. */
export interface Merging {
  readonly folder: string
  readonly base: string
  readonly head: string
  readonly mergeBase: string
  readonly ignoresSpace: boolean
  readonly message: string
  /** Of the one commit that a pull request is squashed to. */
  readonly author: Signature
  readonly committer: Signature
}

/** The commit that the base branch is to be at; nothing but objects is written. */
export async function makeMerged(
  ctx: Pick<Context, 'git'>,
  style: Exclude<MergeStyle, 'manually-merged'>,
  merging: Merging,
): Promise<string> {
  const { base, head } = merging
  switch (style) {
    case 'merge':
      return combine(ctx, merging, { parents: [base, head], author: merging.committer })
    case 'squash':
      return combine(ctx, merging, { parents: [base], author: merging.author })
    case 'fast-forward-only':
      await assertAhead(ctx, merging)
      return head
    case 'rebase':
      return rebase(ctx, merging)
    case 'rebase-merge': {
      const rebased = await rebase(ctx, merging)
      const parents = [base, rebased]
      return combine(ctx, { ...merging, head: rebased }, { parents, author: merging.committer })
    }
  }
}

async function combine(
  { git }: Pick<Context, 'git'>,
  { folder, base, head, ignoresSpace, message, committer }: Merging,
  { parents, author }: { readonly parents: readonly string[]; readonly author: Signature },
): Promise<string> {
  const treeId = await mergeTree(git, folder, { ours: base, theirs: head, ignoresSpace })
  if (treeId === undefined) throw conflict('merge failed because of conflict', 'merge_conflicts')
  return makeCommit(git, folder, { treeId, parents, message, author, committer })
}

/** What is on top of the base already needs not be done again. */
async function rebase(ctx: Pick<Context, 'git'>, merging: Merging): Promise<string> {
  const { folder, base, head, mergeBase, ignoresSpace, committer } = merging
  if (mergeBase === base) return head
  const replay = { base: mergeBase, head, onto: base, ignoresSpace, committer }
  const tip = await replayCommits(ctx.git, folder, replay)
  if (tip === undefined) throw conflict('rebase failed because of conflict', 'rebase_conflicts')
  return tip
}

async function assertAhead({ git }: Pick<Context, 'git'>, merging: Merging): Promise<void> {
  if (await isAncestor(git, merging.folder, merging)) return
  throw conflict('the base branch has commits that the head branch has not: no fast-forward')
}

export function conflict(message: string, reason?: Reason): AppError {
  return new AppError('conflict', message, { reason })
}
