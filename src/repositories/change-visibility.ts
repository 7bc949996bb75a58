import { concealActivities } from '../activity/record.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { invalid } from '../errors.ts'
import { deleteAudience } from './audience-queries.ts'
import { findAllForks, holdVisibility, isHidden, updateVisibility } from './queries.ts'
import type { Repository } from './repository.ts'

/** What `private` becomes; `undefined` when it stays. A fork is as its base is. */
export async function newVisibility(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  wanted: boolean | undefined,
): Promise<boolean | undefined> {
  if (wanted === undefined) return undefined
  const followed = repo.forkOf === undefined ? undefined : await isHidden(ctx.db, repo.forkOf)
  const isPrivate = followed ?? wanted
  if (isPrivate === repo.isPrivate) return undefined
  if (!isPrivate && ctx.config.repositories.force_private && !isSiteAdmin(caller)) {
    throw invalid('cannot change private repository to public', { reason: 'must_stay_private' })
  }
  return isPrivate
}

/**
 * What `newVisibility` said, if it still holds. A base that was changed meanwhile has taken its forks along, and nobody
 * changes it before the transaction ends.
 */
export async function confirmVisibility(
  ctx: Context,
  tx: Executor,
  { forkOf }: Repository,
  isPrivate: boolean | undefined,
): Promise<boolean | undefined> {
  if (isPrivate === undefined || forkOf === undefined) return isPrivate
  await holdVisibility(ctx.db.dialect, tx, forkOf)
  const followed = (await isHidden(tx, forkOf)) ?? isPrivate
  return followed === isPrivate ? isPrivate : undefined
}

/** With the same consequences for all that follow. */
export async function changeVisibility(
  tx: Executor,
  repo: Repository,
  isPrivate: boolean,
): Promise<void> {
  const ids = await updateWithForks(tx, repo, isPrivate)
  if (!isPrivate) return
  await deleteAudience(tx, ids)
  await concealActivities(tx, ids)
}

/**
 * Forks follow, at every distance; those of what a private owner has stay private. Of what is changed already nobody
 * makes a fork, so all are found that others were making meanwhile.
 */
async function updateWithForks(
  tx: Executor,
  repo: Repository,
  isPrivate: boolean,
): Promise<readonly number[]> {
  const changed = new Set<number>()
  for (let ids = [repo.id]; ids.length > 0;) {
    await updateVisibility(tx, ids, isPrivate)
    for (const id of ids) changed.add(id)
    const forks = await findAllForks(tx, repo.id)
    const followers = forks.filter(({ isConcealed }) => isPrivate || !isConcealed)
    ids = followers.map(({ id }) => id).filter((id) => !changed.has(id))
  }
  return [...changed]
}
