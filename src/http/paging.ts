import type { Config } from '../config/config.ts'
import type { Page, PageOf } from '../db/page.ts'
import type { Answer } from './answer.ts'
import type { Query } from './query.ts'

export function readPage(config: Config, query: Query): Page {
  const { default_paging_num, max_response_items } = config.api
  const asked = query.integer('limit')
  const limit =
    asked > 0
      ? Math.min(asked, max_response_items)
      : Math.min(default_paging_num, max_response_items)
  const number = Math.max(1, query.integer('page'))
  // Beyond this no table has rows, and the databases' own integers would overflow.
  return { number, limit, offset: Math.min((number - 1) * limit, 2 ** 52) }
}

export interface ListOptions {
  /** Whether the list names its neighbours in `Link`. */
  readonly links: boolean
}

/** A page of a list with its total. */
export function listAnswer<T>(
  url: string,
  page: Page,
  { total }: PageOf<unknown>,
  body: T,
  { links }: ListOptions,
): Answer<T> {
  const link = links ? linkHeader(url, page, total) : ''
  const expose = link === '' ? 'X-Total-Count' : 'Link, X-Total-Count'
  return {
    status: 200,
    body,
    headers: {
      'x-total-count': String(total),
      'x-page-limit': String(page.limit),
      'access-control-expose-headers': expose,
      ...(link === '' ? {} : { link }),
    },
  }
}

/** next, last, first, prev, as far as there are such pages; a page beyond the end counts as the last. */
export function linkHeader(url: string, { number, limit }: Page, total: number): string {
  const last = Math.max(1, Math.ceil(total / limit))
  const current = Math.min(number, last)
  const pages: [string, number][] = []
  if (current < last) pages.push(['next', current + 1], ['last', last])
  if (current > 1) pages.push(['first', 1], ['prev', current - 1])
  return pages.map(([rel, page]) => `<${withPage(url, page)}>; rel="${rel}"`).join(',')
}

/** The request's own address with `page` replaced, keys in alphabetical order. */
function withPage(url: string, page: number): string {
  const [path = '', query = ''] = splitOnce(url, '?')
  const parameters = new URLSearchParams(query)
  parameters.set('page', String(page))
  parameters.sort()
  return `${path}?${parameters.toString()}`
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
