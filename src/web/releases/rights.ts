import { reaches } from '../../platform/access-level.ts'
import { notFound } from '../../platform/errors.ts'
import { signedIn } from '../../platform/http/call.ts'
import {
  assertNotArchived,
  assertWrites,
  readsUnit,
  writesUnit,
} from '../../repositories/repository/load.ts'
import type { Visit } from '../repository/visit.ts'

export function assertReadsReleases({ view }: Visit): void {
  if (!readsUnit(view, 'repo.releases')) throw notFound()
}

/** In the order of the API. */
export function assertMayChange(visit: Visit): void {
  assertReadsReleases(visit)
  signedIn(visit.viewer)
  assertWrites(visit.view, 'repo.releases')
}

export function assertMayRelease(visit: Visit): void {
  assertMayChange(visit)
  assertNotArchived(visit.view)
}

/** Whether the ways to change releases are shown. */
export function mayRelease({ viewer, view }: Visit): boolean {
  if (!viewer.account || view.repo.isArchived || view.repo.isEmpty) return false
  return reaches(view.access.level, 'admin') || writesUnit(view, 'repo.releases')
}
