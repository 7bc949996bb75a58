import { forbidden } from '../errors.ts'
import { reaches } from '../access-level.ts'
import { unitLevel } from '../repositories/access.ts'
import type { RepositoryView } from '../repositories/view.ts'

export function canFetch({ access, units }: RepositoryView): boolean {
  return reaches(unitLevel(access, units, 'repo.code'), 'read')
}

export function assertMayPush({ repo, access, units }: RepositoryView): void {
  if (!reaches(unitLevel(access, units, 'repo.code'), 'write')) {
    throw forbidden('You may not write to this repository.')
  }
  if (repo.isArchived) throw forbidden('This repository is archived: it cannot be pushed to.')
  if (repo.isMirror) throw forbidden('This repository is a mirror: it cannot be pushed to.')
}
