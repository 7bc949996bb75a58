import type { Page, PageOf } from '../platform/db/page.ts'
import { readPage } from '../platform/http/paging.ts'
import { Query } from '../platform/http/query.ts'
import { viewRepositories, type RepositoryView } from '../repositories/repository/view.ts'
import { search } from '../repositories/search/search.ts'
import { readWanted, sorts, type Sort, type Wanted } from '../repositories/search/wanted.ts'
import type { Look } from './look.ts'

const filters = ['q', 'topic', 'topics', 'language', 'license', 'owner', 'archived', 'template']

/** What a page of repositories was asked for, and what it shows. */
export interface Listed extends PageOf<RepositoryView> {
  readonly page: Page
  readonly text: string
  readonly sort: Sort
}

/**
 * The search of the API, with what makes sense on a page: descriptions count, and what is new
 * stands above.
 */
export async function searchPage(
  look: Look,
  changes: Partial<Wanted> = {},
  usual?: Sort,
): Promise<Listed> {
  const { ctx, viewer, query } = look
  const text = (query.text('q') ?? '').trim()
  const sort = readSort(query.text('sort'), usual ?? (text === '' ? 'updated' : 'relevance'))
  const wanted: Wanted = {
    ...readWanted(only(query, filters)),
    includeDescription: true,
    sort,
    direction: sort === 'alpha' ? 'asc' : 'desc',
    ...changes,
  }
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await search(ctx, viewer, wanted, page)
  return { items: await viewRepositories(ctx, viewer, items), total, page, text, sort }
}

function only(query: Query, names: readonly string[]): Query {
  return new Query(Object.fromEntries(names.map((name) => [name, query.text(name)])))
}

function readSort(asked: string | undefined, usual: Sort): Sort {
  return sorts.find((sort) => sort === asked) ?? usual
}
