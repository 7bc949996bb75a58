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
  const cursor = query.text('cursor')
  return {
    number,
    limit,
    // Beyond this no table has rows, and the databases' own integers would overflow.
    offset: Math.min((number - 1) * limit, 2 ** 52),
    ...(cursor === undefined ? {} : { cursor }),
  }
}

export interface ListOptions {
  /** Whether the list names its neighbours in `Link`. */
  readonly links: boolean
}

/** Many clients and proxies refuse an answer with 16 KiB of headers. */
const MAX_LINK_LENGTH = 12 * 1024

/** A page of a list with its total. */
export function listAnswer<T>(
  url: string,
  page: Page,
  found: PageOf<unknown>,
  body: T,
  { links }: ListOptions,
): Answer<T> {
  const { total } = found
  const relations = links ? linksOf(url, page, found) : ''
  const link = relations.length > MAX_LINK_LENGTH ? '' : relations
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

function linksOf(url: string, page: Page, { total, cursor }: PageOf<unknown>): string {
  if (!cursor) return linkHeader(url, page, total)
  const at = (position: string) => withParameters(url, { cursor: position, page: undefined })
  const relations = [
    ...(cursor.next === undefined ? [] : [`<${at(cursor.next)}>; rel="next"`]),
    ...(cursor.isFirst ? [] : [`<${at('')}>; rel="first"`]),
  ]
  return relations.join(',')
}

/**
 * next, last, first, prev, as far as there are such pages; a page beyond the end counts as the
 * last.
 */
export function linkHeader(url: string, { number, limit }: Page, total: number): string {
  const last = Math.max(1, Math.ceil(total / limit))
  const current = Math.min(number, last)
  const pages: [string, number][] = []
  if (current < last) pages.push(['next', current + 1], ['last', last])
  if (current > 1) pages.push(['first', 1], ['prev', current - 1])
  return pages
    .map(([rel, page]) => `<${withParameters(url, { page: String(page) })}>; rel="${rel}"`)
    .join(',')
}

/** The request's own address with some parameters replaced, keys in alphabetical order. */
function withParameters(url: string, changes: Record<string, string | undefined>): string {
  const [path = '', query = ''] = splitOnce(url, '?')
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  parameters.sort()
  return `${path}?${parameters.toString()}`
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
