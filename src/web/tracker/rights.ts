import { reaches } from '../../platform/access-level.ts'
import { signedIn } from '../../platform/http/call.ts'
import { assertReadsAny } from '../../collaboration/issues/rights.ts'
import { assertWritesTracker, writesUnit } from '../../repositories/repository/load.ts'
import type { Visit } from '../repository/visit.ts'

export function assertReadsTracker({ view }: Visit): void {
  assertReadsAny(view)
}

/** In the order of the API. */
export function assertMayPlan(visit: Visit): void {
  assertReadsTracker(visit)
  signedIn(visit.viewer)
  assertWritesTracker(visit.view)
}

/** Whether the ways to change labels and milestones are shown. */
export function mayPlan({ viewer, view }: Visit): boolean {
  if (!viewer.account || view.repo.isArchived) return false
  if (reaches(view.access.level, 'admin')) return true
  return writesUnit(view, 'repo.issues') || writesUnit(view, 'repo.pulls')
}
