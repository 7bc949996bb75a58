import { concealActivities } from '../../events/activity/record.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid } from '../../platform/errors.ts'
import {
  deleteAudience,
  findOfVisibility,
  sumAudience,
  type AudienceSum,
} from './audience-queries.ts'
import { findAllForks, holdVisibility, isHidden, updateVisibility, type Fork } from './queries.ts'
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
 * What `newVisibility` said, if it still holds. A base that was changed meanwhile has taken its
 * forks along, and nobody changes it before the transaction ends.
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

/** What a change of the visibility would change beside it. */
export interface VisibilityEffects {
  readonly own: AudienceSum
  /** The forks that would follow. */
  readonly forks: AudienceSum
}

export async function previewVisibility(
  ctx: Context,
  repo: Repository,
  isPrivate: boolean,
): Promise<VisibilityEffects> {
  const forks = followersOf(await findAllForks(ctx.db, repo.id), isPrivate)
  return {
    own: await sumAudience(ctx.db, [repo.id], repo.isPrivate),
    forks: await sumAudience(ctx.db, forks, !isPrivate),
  }
}

/** With the same consequences for all that follow, whose owners are told. */
export async function changeVisibility(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  repo: Repository,
  isPrivate: boolean,
): Promise<void> {
  const { ids, changed } = await updateWithForks(tx, repo, isPrivate)
  const forks = changed.filter((id) => id !== repo.id)
  if (isPrivate) {
    await deleteAudience(tx, ids)
    await concealActivities(tx, ids)
  }
  const change = { actorId: account.id, forkIds: forks, isPrivate }
  for (const part of ctx.above.partsOfRepositories) await part.onForksFollowing?.(ctx, tx, change)
}

/**
 * Forks follow, at every distance; those of what a private owner has stay private. Of what is
 * changed already nobody makes a fork, so all are found that others were making meanwhile.
 */
async function updateWithForks(
  tx: Executor,
  repo: Repository,
  isPrivate: boolean,
): Promise<{ readonly ids: readonly number[]; readonly changed: readonly number[] }> {
  const seen = new Set<number>()
  const changed: number[] = []
  for (let ids = [repo.id]; ids.length > 0;) {
    changed.push(...(await findOfVisibility(tx, ids, !isPrivate)))
    await updateVisibility(tx, ids, isPrivate)
    for (const id of ids) seen.add(id)
    const followers = followersOf(await findAllForks(tx, repo.id), isPrivate)
    ids = followers.filter((id) => !seen.has(id))
  }
  return { ids: [...seen], changed }
}

function followersOf(forks: readonly Fork[], isPrivate: boolean): number[] {
  return forks.filter(({ isConcealed }) => isPrivate || !isConcealed).map(({ id }) => id)
}
