import { reaches } from '../../platform/access-level.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import { AppError, forbidden } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { isAuthor, writesIssue } from '../issues/rights.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isAssigned } from './queries.ts'

export function tracksTime({ config }: Context, { units }: RepositoryView): boolean {
  return config.time_tracking.enabled && (units.settings('repo.issues')?.timeTracker ?? false)
}

export function assertTracksTime(ctx: Context, view: RepositoryView): void {
  if (!tracksTime(ctx, view)) throw new AppError('bad_request', 'time tracking disabled')
}

export async function assertMayTrack(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
): Promise<void> {
  assertTracksTime(ctx, view)
  if (await mayTrack(ctx, caller, view, issue)) return
  throw forbidden('user is not permitted to track time')
}

/**
 * Where only contributors may track time: who writes issues, has written this one or is to do it.
 */
export async function mayTrack(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
): Promise<boolean> {
  if (!tracksTime(ctx, view)) return false
  if (!view.units.settings('repo.issues')?.onlyContributorsTrackTime) return true
  if (writesIssue(view, issue) || isAuthor(caller, issue)) return true
  return isAssigned(ctx.db, issue.id, caller.account.id)
}

/** Who sees and adds the times of others. */
export function managesTimes(caller: SignedInCaller, { access }: RepositoryView): boolean {
  return isSiteAdmin(caller) || reaches(access.level, 'admin')
}
