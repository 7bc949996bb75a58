import { forbidden } from '../../platform/errors.ts'
import { readsUnit, writesUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Part } from './part.ts'

const unitOf = { code: 'repo.code', wiki: 'repo.wiki' } as const

/** A wiki that is switched off, or lies elsewhere, is not there at all. */
export function isThere({ units }: RepositoryView, part: Part): boolean {
  return part === 'code' || units.has(unitOf.wiki)
}

export function canFetch(view: RepositoryView, part: Part): boolean {
  return readsUnit(view, unitOf[part])
}

export function assertMayPush(view: RepositoryView, part: Part): void {
  if (!writesUnit(view, unitOf[part])) {
    const what = part === 'code' ? 'this repository' : 'the wiki of this repository'
    throw forbidden(`You may not write to ${what}.`)
  }
  const { repo } = view
  if (repo.isArchived) throw forbidden('This repository is archived: it cannot be pushed to.')
  if (repo.isMirror) throw forbidden('This repository is a mirror: it cannot be pushed to.')
}

export function notReadable(part: Part): Error {
  return forbidden(`You may not read the ${part} of this repository.`)
}
