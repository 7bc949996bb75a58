import { reaches } from '../../platform/access-level.ts'
import { signedIn } from '../../platform/http/call.ts'
import { assertEditsCode, writesUnit } from '../../repositories/repository/load.ts'
import { assertReadsCode } from '../repository/source.ts'
import type { Visit } from '../repository/visit.ts'

/** In the order of the API. */
export function assertMayEdit(visit: Visit): void {
  assertReadsCode(visit)
  signedIn(visit.viewer)
  assertEditsCode(visit.view)
}

/** Whether the ways to change files are shown. */
export function mayEdit({ viewer, view }: Visit): boolean {
  if (!viewer.account || view.repo.isArchived || view.repo.isMirror) return false
  return reaches(view.access.level, 'admin') || writesUnit(view, 'repo.code')
}
