import { loadPlace } from '../../code/content/find.ts'
import { notFound } from '../../platform/errors.ts'
import { html, type Html } from '../../platform/html.ts'
import { codePath, renderPath } from '../repository/source.ts'
import { pathTo, restOf, type Visit } from '../repository/visit.ts'

/** A path on a branch. */
export interface Place {
  readonly branch: string
  readonly path: string
}

/**
 * What the address says; the branch of a repository without a commit is there with the first one.
 */
export async function placeOf(visit: Visit): Promise<Place> {
  const { ctx, view } = visit
  const rest = restOf(visit)
  if (view.repo.isEmpty) {
    if (rest !== view.repo.defaultBranch) throw notFound()
    return { branch: rest, path: '' }
  }
  const { revision, path } = await loadPlace(ctx, view.repo, 'branch', rest)
  return { branch: revision.name, path }
}

export type Section = '_new' | '_edit' | '_delete' | '_upload'

export function formPath(visit: Visit, section: Section, { branch, path }: Place): string {
  return pathTo(visit, section, 'branch', branch, path)
}

export function sourcePath(visit: Visit, { branch, path }: Place): string {
  if (visit.view.repo.isEmpty) return visit.home
  return codePath(visit, 'src', { kind: 'branch', name: branch }, path)
}

/** Of what was committed: the file on its branch, or what a new branch differs in. */
export function committedPath(visit: Visit, from: Place, written: Place): string {
  if (written.branch === from.branch) {
    return codePath(visit, 'src', { kind: 'branch', name: written.branch }, written.path)
  }
  return pathTo(visit, 'compare', `${from.branch}...${written.branch}`)
}

export function renderPlace(visit: Visit, title: string, place: Place): Html {
  const seen = { kind: 'branch', name: place.branch, path: place.path } as const
  return html`<h2>${title}</h2>
<div class="row">${renderPath(visit, seen)} <span class="tag">${place.branch}</span></div>`
}
