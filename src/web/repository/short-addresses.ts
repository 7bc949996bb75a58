import { loadPlace } from '../../code/content/find.ts'
import { assertReadsCode, codePath, type Section } from './source.ts'
import { pathTo, restOf, type Show } from './visit.ts'

/**
 * `/src/main/a.ts`, as documents from elsewhere have it, leads to where it is said what `main` is.
 */
export function leadToKind(section: Section): Show {
  return async (visit) => {
    assertReadsCode(visit)
    const { ctx, view } = visit
    const { revision, path } = await loadPlace(ctx, view.repo, 'any', restOf(visit))
    return { leadsTo: codePath(visit, section, revision, path) }
  }
}

/** What is looked for is looked for where the repository begins. */
export const leadToSearch: Show = async (visit) => {
  assertReadsCode(visit)
  const { view, query } = visit
  const words = new URLSearchParams({ q: query.text('q') ?? '' })
  return { leadsTo: `${pathTo(visit, 'search', 'branch', view.repo.defaultBranch)}?${words}` }
}
