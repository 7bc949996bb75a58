import { reaches } from '../../platform/access-level.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { loadStanding } from '../../identity/organizations/load.ts'
import { findRedirected } from './queries.ts'
import { viewRepository } from './view.ts'

/**
 * An old name leads clones to where their repository is now. Whoever takes the name takes them
 * over, so it is free only to those who administer what it leads to, and to those whose name it is.
 */
export async function mayReuse(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  ownerId: number,
  name: string,
): Promise<boolean> {
  if (!ctx.config.repositories.strict_redirects) return true
  const moved = await findRedirected(tx, ownerId, name)
  if (!moved) return true
  if (await ownsNames(tx, caller, ownerId)) return true
  const { access } = await viewRepository({ ...ctx, db: tx }, caller, moved)
  return reaches(access.level, 'admin')
}

/** All names below the own account, and below an organization for its owners. */
async function ownsNames(tx: Executor, caller: SignedInCaller, ownerId: number): Promise<boolean> {
  if (caller.account.id === ownerId) return true
  const standing = await loadStanding({ db: tx }, caller, { id: ownerId })
  return reaches(standing.level, 'owner')
}
