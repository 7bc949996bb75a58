import type { Context } from '../../platform/context.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import type { FoundPull } from './load.ts'
import type { MergeStyle } from './merge-style.ts'

/** The first line of a merge for which nobody gave one. */
export async function defaultMessage(
  ctx: Context,
  view: RepositoryView,
  found: FoundPull,
  style: MergeStyle,
): Promise<string> {
  const { issue, pull } = found
  if (style === 'squash') return `${issue.title} (#${issue.number})`
  const head = await nameHead(ctx, view, found)
  return `Merge pull request '${issue.title}' (#${issue.number}) from ${head} into ${pull.baseBranch}`
}

/**
 * With the owner of another repository, where everybody may know of it who reads this one: the
 * message stays for ever, and whoever merges may see more than they.
 */
async function nameHead(
  ctx: Context,
  { repo, owner: home }: RepositoryView,
  { pull }: FoundPull,
): Promise<string> {
  const { headRepositoryId = 0, headBranch } = pull
  if (headRepositoryId === repo.id) return headBranch
  const head = (await repositoriesById(ctx.db, [headRepositoryId])).get(headRepositoryId)
  const owner = head && (await findById(ctx, head.ownerId))
  const isShown = owner && !head.isPrivate && isNoMoreHidden(owner, home)
  return isShown ? `${owner.name}/${head.name}:${headBranch}` : headBranch
}

function isNoMoreHidden(owner: Account, home: Account): boolean {
  if (owner.id === home.id || owner.visibility === 'public') return true
  return owner.visibility === 'limited' && home.visibility !== 'public'
}
