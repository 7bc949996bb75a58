import { reaches } from '../access-level.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { loadStanding } from '../organizations/load.ts'
import { findRedirected, nameTaken } from './queries.ts'
import { viewRepository } from './view.ts'

/**
 * An old name leads clones to where their repository is now. Whoever takes the name takes them over, so it is free
 * only to those who administer what it leads to, and to those whose name it is.
 */
export async function assertMayReuse(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  ownerId: number,
  name: string,
): Promise<void> {
  if (!ctx.config.repositories.strict_redirects) return
  const moved = await findRedirected(tx, ownerId, name)
  if (!moved) return
  if (await ownsNames(tx, caller, ownerId)) return
  const { access } = await viewRepository({ ...ctx, db: tx }, caller, moved)
  if (!reaches(access.level, 'admin')) throw nameTaken()
}

/** All names below the own account, and below an organization for its owners. */
async function ownsNames(tx: Executor, caller: SignedInCaller, ownerId: number): Promise<boolean> {
  if (caller.account.id === ownerId) return true
  const standing = await loadStanding({ db: tx }, caller, { id: ownerId })
  return reaches(standing.level, 'owner')
}
