import type { RefKind } from '../../code/content/places.ts'
import { isNotFound } from '../../platform/errors.ts'
import { codePath, type NamedRef } from './source.ts'
import { pathTo, restOf, type Shown, type Visit } from './visit.ts'

type Section = 'src' | 'commits' | 'blame'

/** The address of the same path at another ref, or of what is closest to it there. */
export function nearestPath(visit: Visit, section: Section, ref: NamedRef, path: string): string {
  return codePath(visit, section, ref, path) + (path === '' ? '' : '?nearest=true')
}

/** What is not there at the ref that somebody chose is no wrong address. */
export async function unlessChosen<T>(visit: Visit, found: Promise<T>): Promise<T | undefined> {
  return visit.query.boolean('nearest') ? found.catch(missing) : found
}

/**
 * Where there is nothing to be told of the path, what lies there is shown, or the closest folder.
 */
export function leadToFiles(visit: Visit, kind: RefKind): Shown {
  return { leadsTo: `${pathTo(visit, 'src', kind, restOf(visit))}?nearest=true` }
}

export function missing(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}
