import { notFound } from '../../errors.ts'
import { signedIn } from '../../http/call.ts'
import { readInteger } from '../../http/query.ts'
import { placeOf } from '../../projects/boards.ts'
import type { Project } from '../../projects/project.ts'
import { loadProject, readsProjects } from '../../projects/projects.ts'
import { assertNotArchived, assertWrites, writesUnit } from '../../repositories/load.ts'
import type { Visit } from '../repository/visit.ts'

export function assertReadsProjects({ view }: Visit): void {
  if (!readsProjects(view)) throw notFound()
}

/** In the order of the API. */
export function assertMayArrange(visit: Visit): void {
  assertReadsProjects(visit)
  signedIn(visit.viewer)
  assertWrites(visit.view, 'repo.projects')
  assertNotArchived(visit.view)
}

/** Whether the ways to change boards are shown. */
export function mayArrange({ viewer, view }: Visit): boolean {
  return viewer.account !== undefined && !view.repo.isArchived && writesUnit(view, 'repo.projects')
}

export async function loadOfPage({ ctx, view, param }: Visit): Promise<Project> {
  return loadProject(ctx, placeOf(view), readInteger(param('id')))
}
